// What the hub's pages share: rows of figures, links to players, and looking again.

import { isolated, make, pressable, say, setTile, signed, sync, text, tile } from "./draw.js";
import { get } from "./net.js";

export const byId = (id) => document.getElementById(id);
export const ask = async (path) => {
  const said = await get(path);
  if (said === null) throw new Error(path);
  return said;
};

// A button of the desk, in the language of the page.
export function button(key, act) {
  const made = pressable("quiet", act, say(key));
  made.dataset.say = key;
  return made;
}

// Look now, after each command of the desk, and again and again; what was shown stays where no answer comes.
export function again(every_ms, look) {
  const asking = async () => {
    try {
      await look();
    } catch {
      // it is asked again
    }
  };
  document.addEventListener("done", asking);
  setInterval(asking, every_ms);
  asking();
  return asking;
}

// Rows of a table's body; a cell is a text, or an element that is made anew.
export function drawRows(table, rows, key, cells, wide = []) {
  sync(table.tBodies[0], rows, key, () => make("tr"), (row, item, index) => {
    const said = cells(item, index);
    while (row.children.length < said.length) {
      row.append(make("td", wide.includes(row.children.length) ? "wide" : ""));
    }
    said.forEach((cell, at) => {
      const place = row.children[at];
      if (cell instanceof Node) {
        if (place.firstChild?.textContent !== cell.textContent || !place.firstElementChild) place.replaceChildren(cell);
      } else text(place, String(cell));
    });
  });
}

export function player({ player: number, name }) {
  const link = make("a", "", name);
  link.href = `/player/${number}`;
  return link;
}

// A won hand's tiles as far as they are known, melds first and the winning tile apart.
export function drawLaid(place, { melds = [], tiles: held, winning }) {
  const groups = winning ? [...melds, held, [winning]] : melds;
  sync(place, groups, (_, at) => at, () => make("div"), (group, tiles, at) => {
    group.classList.toggle("winning", Boolean(winning) && at === groups.length - 1);
    sync(group, tiles, (_, index) => index, (face) => tile(face), setTile);
  });
}

// The camera's picture of a hand, where the club has one.
export function drawPicture(seen, hand, name) {
  seen.hidden = hand.picture === null;
  if (seen.hidden) return;
  seen.alt = say("player_picture", { name, table: hand.table, n: hand.hand });
  const place = `/api/picture/${hand.picture}.jpg`;
  if (seen.getAttribute("src") !== place) seen.src = place;
}

// Points that are added or paid; none for 0.
export const moved = (points) => (points ? signed(points) : "0");

// "Table 3" where somebody called it 3.
export const tableName = (name) => (/^\d+$/.test(name) ? say("hall_table_n", { n: name }) : isolated(name));
