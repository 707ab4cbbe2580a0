#!/usr/bin/env bash
# A club's PostgreSQL on two machines, on Debian or Ubuntu; run as root on each (docs/CLUB.md):
#
#   PASSWORD=… tools/club_database.sh primary STANDBY-ADDRESS NETWORK   on the first machine
#   PASSWORD=… tools/club_database.sh standby PRIMARY-ADDRESS NETWORK   on the second
#   tools/club_database.sh together                                     on the first: commit in both
#   tools/club_database.sh alone                                        on it: the other is broken
#   tools/club_database.sh promote                                      on the standby: the first is lost
#   tools/club_database.sh stay primary|standby …                       in a container: made once, then run
#
# NETWORK is where hubs and the other machine are, as 192.168.1.0/24. PORT and CLUSTER (5432, club)
# may be given, too. "standby" throws away what its own cluster of that name held.
set -euo pipefail
port=${PORT:-5432} cluster=${CLUSTER:-club}
version=$(find /usr/lib/postgresql -mindepth 1 -maxdepth 1 -printf '%f\n' 2>/dev/null | sort -V | tail -1)
[ -n "$version" ] || { echo "There is no PostgreSQL: apt install postgresql" >&2; exit 1; }
settings=/etc/postgresql/$version/$cluster data=/var/lib/postgresql/$version/$cluster

as_postgres() { (cd / && setpriv --reuid=postgres --regid=postgres --init-groups "$@"); }
say() { as_postgres psql -qAt -p "$port" -v ON_ERROR_STOP=1 "$@"; }

made() { # an empty cluster that others reach with the password
  pg_createcluster "$version" "$cluster" -p "$port" -e UTF8 --locale C.UTF-8 -- --data-checksums >/dev/null
  printf '%s\n' "listen_addresses = '*'" "wal_keep_size = 1GB" \
    >"$settings/conf.d/club.conf"
  printf 'host %s club %s scram-sha-256\n' club "$1" replication "$1" \
    >>"$settings/pg_hba.conf"
}

together() {
  for _ in $(seq 60); do
    if [ "$(say -c "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'")" != 0 ]; then
      say -c "ALTER SYSTEM SET synchronous_standby_names = '*'" -c "SELECT pg_reload_conf()" >/dev/null
      echo "From now on each commit is in both machines before it is told."
      return
    fi
    sleep 1
  done
  echo "No standby has come within a minute." >&2
  exit 1
}

case ${1:-} in
primary)
  made "${3:?NETWORK}"
  pg_ctlcluster "$version" "$cluster" start
  say -v password="${PASSWORD:?}" <<<"CREATE ROLE club LOGIN REPLICATION PASSWORD :'password'"
  say -c "CREATE DATABASE club OWNER club"
  echo "Now on $2: PASSWORD=… $0 standby ADDRESS-OF-THIS-MACHINE $3; then here: $0 together"
  ;;
standby)
  if pg_lsclusters -h | grep -qE "^$version +$cluster "; then
    pg_dropcluster --stop "$version" "$cluster"
  fi
  made "${3:?NETWORK}"
  rm -rf "${data:?}"
  export PGPASSWORD=${PASSWORD:?}
  as_postgres "/usr/lib/postgresql/$version/bin/pg_basebackup" -h "$2" -p "${PRIMARY_PORT:-$port}" \
    -U club -D "$data" -R -X stream -c fast
  pg_ctlcluster "$version" "$cluster" start
  echo "It follows $2. Now there: $0 together"
  ;;
together) together ;;
alone)
  say -c "ALTER SYSTEM SET synchronous_standby_names = ''" -c "SELECT pg_reload_conf()" >/dev/null
  echo "Commits wait for nobody: one disk alone has the evening until a standby is back."
  ;;
promote)
  pg_ctlcluster "$version" "$cluster" promote
  say -c "ALTER SYSTEM SET synchronous_standby_names = ''" -c "SELECT pg_reload_conf()" >/dev/null
  echo "This machine has the database now. Stop the other one; make it a standby when it is well."
  ;;
stay)
  shift
  if ! pg_lsclusters -h | grep -qE "^$version +$cluster "; then
    [ "$1" = primary ] || until "/usr/lib/postgresql/$version/bin/pg_isready" -q -h "$2" -p "${PRIMARY_PORT:-$port}"; do sleep 1; done
    "$0" "$@"
    pg_ctlcluster "$version" "$cluster" stop
  fi
  exec pg_ctlcluster --foreground "$version" "$cluster" start
  ;;
*)
  sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
  exit 2
  ;;
esac
