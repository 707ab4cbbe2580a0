/* A disk that loses what was not synced when the power goes: a layer over SQLite's own file system.

   Writes stay in this process until SQLite syncs the file; a kill loses them, as a power cut loses
   what the system has not written out. Of the others the disk writes some early, in any order, as a
   system may. One connection to a file at a time.

   A new file's name is on the disk once its folder is synced, which SQLite does with the first sync
   of a journal. Which names are and which are not is told to `names`, line by line: whoever cuts the
   power takes back the others. */
#include <libgen.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Pending { sqlite3_int64 at; int size; unsigned char *data; struct Pending *next; } Pending;
typedef struct File {
  sqlite3_file base;
  unsigned char *image;       /* the file as SQLite sees it */
  sqlite3_int64 size, room;
  Pending *first, *last;      /* not on the disk yet; size -1: cut to `at` bytes */
  sqlite3_file *real;
  char *journal;              /* its name, until the first sync has synced its folder */
} File;

static sqlite3_vfs *under;
static sqlite3_vfs above;
static unsigned state = 1;
static int names = -1;

static void tell(const char *what, const char *name) {
  char line[1024];
  int size = snprintf(line, sizeof line, "%s %s\n", what, name);
  if (names >= 0 && size > 0 && size < (int)sizeof line && write(names, line, size) != size) _exit(4);
}

static unsigned chance(void) { state ^= state << 13; state ^= state >> 17; return state ^= state << 5; }

static int grow(File *f, sqlite3_int64 size) {
  if (size > f->room) {
    sqlite3_int64 room = size * 2;
    unsigned char *image = realloc(f->image, room);
    if (!image) return SQLITE_NOMEM;
    memset(image + f->room, 0, room - f->room);
    f->image = image; f->room = room;
  }
  if (size > f->size) f->size = size;
  return SQLITE_OK;
}

static int put(File *f, Pending *p) {
  if (p->size < 0) return f->real->pMethods->xTruncate(f->real, p->at);
  return f->real->pMethods->xWrite(f->real, p->data, p->size, p->at);
}

static int write_out(File *f) {
  int rc = SQLITE_OK;
  while (f->first && rc == SQLITE_OK) {
    Pending *p = f->first;
    rc = put(f, p);
    f->first = p->next; free(p->data); free(p);
  }
  if (!f->first) f->last = 0;
  return rc;
}

static int later(File *f, const void *data, int size, sqlite3_int64 at) {
  Pending *p = calloc(1, sizeof *p);
  if (!p) return SQLITE_NOMEM;
  p->at = at; p->size = size;
  if (size > 0) { p->data = malloc(size); if (!p->data) return SQLITE_NOMEM; memcpy(p->data, data, size); }
  if (size > 0 && chance() % 4 == 0) put(f, p);  /* early; and again in its turn */
  if (f->last) f->last->next = p; else f->first = p;
  f->last = p;
  return SQLITE_OK;
}

static int x_close(sqlite3_file *file) {
  File *f = (File *)file;
  write_out(f);  /* no power was cut */
  free(f->image);
  free(f->journal);
  return f->real->pMethods->xClose(f->real);
}
static int x_read(sqlite3_file *file, void *to, int size, sqlite3_int64 at) {
  File *f = (File *)file;
  sqlite3_int64 there = f->size - at;
  if (there >= size) { memcpy(to, f->image + at, size); return SQLITE_OK; }
  memset(to, 0, size);
  if (there > 0) memcpy(to, f->image + at, there);
  return SQLITE_IOERR_SHORT_READ;
}
static int x_write(sqlite3_file *file, const void *data, int size, sqlite3_int64 at) {
  File *f = (File *)file;
  int rc = grow(f, at + size);
  if (rc) return rc;
  memcpy(f->image + at, data, size);
  return later(f, data, size, at);
}
static int x_truncate(sqlite3_file *file, sqlite3_int64 size) {
  File *f = (File *)file;
  if (size < f->size) { memset(f->image + size, 0, f->size - size); f->size = size; }
  return later(f, 0, -1, size);
}
static int x_sync(sqlite3_file *file, int flags) {
  File *f = (File *)file;
  int rc = write_out(f);
  if (!rc) rc = f->real->pMethods->xSync(f->real, flags);
  if (!rc && f->journal) {
    tell("synced", dirname(f->journal));
    free(f->journal);
    f->journal = 0;
  }
  return rc;
}
static int x_size(sqlite3_file *file, sqlite3_int64 *size) { *size = ((File *)file)->size; return SQLITE_OK; }
#define REAL ((File *)file)->real
static int x_lock(sqlite3_file *file, int how) { return REAL->pMethods->xLock(REAL, how); }
static int x_unlock(sqlite3_file *file, int how) { return REAL->pMethods->xUnlock(REAL, how); }
static int x_reserved(sqlite3_file *file, int *is) { return REAL->pMethods->xCheckReservedLock(REAL, is); }
static int x_control(sqlite3_file *file, int what, void *with) {
  if (what == SQLITE_FCNTL_SIZE_HINT || what == SQLITE_FCNTL_CHUNK_SIZE) return SQLITE_OK;
  return REAL->pMethods->xFileControl(REAL, what, with);
}
static int x_sector(sqlite3_file *file) { return REAL->pMethods->xSectorSize(REAL); }
static int x_device(sqlite3_file *file) { return REAL->pMethods->xDeviceCharacteristics(REAL); }

/* The index of a journal is memory that is shared, and made anew after a cut. */
static int x_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **to) {
  return REAL->pMethods->xShmMap(REAL, page, size, extend, to);
}
static int x_shm_lock(sqlite3_file *file, int offset, int n, int flags) {
  return REAL->pMethods->xShmLock(REAL, offset, n, flags);
}
static void x_shm_barrier(sqlite3_file *file) { REAL->pMethods->xShmBarrier(REAL); }
static int x_shm_unmap(sqlite3_file *file, int gone) { return REAL->pMethods->xShmUnmap(REAL, gone); }

static const sqlite3_io_methods methods = {
  2, x_close, x_read, x_write, x_truncate, x_sync, x_size, x_lock, x_unlock, x_reserved, x_control,
  x_sector, x_device, x_shm_map, x_shm_lock, x_shm_barrier, x_shm_unmap
};

static int x_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
  File *f = (File *)file;
  (void)vfs;
  memset(f, 0, sizeof *f);
  f->real = (sqlite3_file *)(f + 1);
  int is_new = name && (flags & SQLITE_OPEN_CREATE) && access(name, F_OK);
  int rc = under->xOpen(under, name, f->real, flags, out);
  if (rc) return rc;
  sqlite3_int64 size = 0;
  rc = f->real->pMethods->xFileSize(f->real, &size);
  if (!rc && size) rc = grow(f, size);
  if (!rc && size) rc = f->real->pMethods->xRead(f->real, f->image, (int)size, 0);
  if (rc) { f->real->pMethods->xClose(f->real); return rc; }
  if (is_new) {
    tell("created", name);
    if (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL)) f->journal = strdup(name);
  }
  f->base.pMethods = &methods;
  return SQLITE_OK;
}

/* From now on every database that this process opens lies on such a disk; `to` is told of names. */
int power_cut_begin(unsigned seed, int to) {
  names = to;
  under = sqlite3_vfs_find(0);
  if (!under) return 1;
  state = seed * 2654435761u | 1;
  above = *under;
  above.zName = "power-cut";
  above.szOsFile = (int)sizeof(File) + under->szOsFile;
  above.xOpen = x_open;
  return sqlite3_vfs_register(&above, 1);
}
