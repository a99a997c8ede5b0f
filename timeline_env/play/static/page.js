// The page of one seat: shows what the server sends of the game, and sends back what is decided.
import { Board, picture } from "./board.js";
import { chart, standingsText } from "./chart.js";
import { keep, kept } from "./memory.js";
import { addressOf, position, tell, view, Failed } from "./net.js";
import { Picker } from "./picker.js";

const element = (id) => document.getElementById(id);
const board = new Board(element("board"), choose, near);
let picker = new Picker();
let shown = null; // the view that is on the page
let read = null; // decisions of the log that were read out; null before the first view
let sending = null; // what was sent and is not answered yet
let trying = false; // whether a copy of a position is on the page
let alone = false; // whether there is no game behind it
let whole = false; // whether everything that happened is told
let thinking = false; // whether a player was asked what it thinks, and has not answered yet
let thoughts = null; // what a player was found to think of the pending decision

function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false && value !== undefined) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

// ---- what is on the page

function render(now) {
  if (now.status === "starting") {
    element("prompt").textContent = now.prompt;
    return;
  }
  if (Boolean(now.analysis) !== trying) read = null;
  trying = Boolean(now.analysis);
  alone = alone || Boolean(now.alone);
  if (thoughts?.cookie !== now.cookie) thoughts = null;
  const held = focused(["board", "choices", "trays"]);
  const first = shown === null;
  const same = shown?.cookie === now.cookie && shown?.look === now.look;
  shown = now;
  Object.assign(document.body.dataset, { status: now.status, cookie: now.cookie });
  document.title = `${now.title}: ${now.prompt}`;
  element("title").textContent = now.title;
  element("who").textContent = now.viewer === null ? "You are watching." : `You play ${now.seats[now.viewer].name}.`;
  element("prompt").textContent = now.prompt;
  element("notice").textContent = now.notice ?? "";
  element("ask").classList.toggle("yours", now.status === "yours");
  if (now.pace !== undefined) element("pace").value = String(now.pace);
  if (!same) picker = new Picker(now.targets);
  board.show(now.board);
  if (first) board.scale(0);
  trays();
  seats();
  log();
  panels();
  past();
  tools(same);
  element("chart").replaceChildren(chart(now.seats, now.standings));
  element("undo").hidden = !now.undo;
  element("typed").hidden = now.status !== "yours";
  element("moves").replaceChildren(...picker.moves().map((move) => make("option", { value: move })));
  offer();
  if (held && !same) focusOn(held);
}

function offer() {
  board.offer(picker);
  const shares = thoughts ? picker.sums(new Map(thoughts.rows.map((row) => [row.move, row.share]))) : new Map();
  board.tint(shares);
  const chosen = picker.picked.map((target) => target.text).join(", ");
  element("path").replaceChildren();
  if (chosen) element("path").append(`${chosen} … `, make("button", { type: "button", id: "undo-click" }, "Back (Escape)"));
  const buttons = picker.options.map((target, place) => {
    const key = place < 9 ? [make("kbd", { "aria-hidden": "true" }, String(place + 1))] : [];
    return make("button", { type: "button", "data-key": target.key, tabindex: place ? "-1" : "0", ...(target.detail ? { "aria-description": target.detail } : {}) }, ...key, target.text, ...percent(shares.get(target.key)));
  });
  element("choices").replaceChildren(...buttons);
  for (const card of document.querySelectorAll("button.card")) {
    card.classList.toggle("picked", picker.picked[0]?.key === card.dataset.key);
  }
  element("detail").textContent = picker.last?.detail ?? "";
}

function percent(share) {
  return share === undefined ? [] : [make("span", { class: "share" }, `${Math.round(100 * share)} %`)];
}

const KINDS = {
  policy: "Its policy: how likely it plays each move.",
  values: "What each move is worth to it.",
  visits: "How often its search tried each move, and how that went on average (-1 last, 1 first).",
  choice: "It says no more than what it would play.",
};

function tools(same) {
  const asking = shown.status === "yours";
  const chosen = element("mind").value;
  element("mind").replaceChildren(...shown.minds.map((name) => make("option", { value: name }, name)));
  if (shown.minds.includes(chosen)) element("mind").value = chosen;
  element("think").disabled = !asking;
  element("decide").hidden = !(trying && asking);
  const watching = shown.viewer === null;
  element("pace").disabled = trying || watching;
  element("copy").hidden = !trying;
  element("analyse").hidden = trying;
  element("analyse").disabled = watching && !shown.over; // the hands are still secret
  const where = trying ? (alone ? "alone" : "beside the game") : "";
  if (element("banner").dataset.where !== where) { // else it would be read out again, and the button would lose the focus
    element("banner").dataset.where = where;
    element("banner").replaceChildren();
    if (trying) element("banner").append("You are trying things out in a copy: nothing flows back. ");
    if (trying && !alone) element("banner").append(make("button", { type: "button", id: "leave" }, "Back to the game"));
  }
  if (trying && !same && document.activeElement !== element("position")) element("position").value = shown.position;
  listThoughts();
}

function listThoughts() {
  element("thoughts").replaceChildren();
  if (!thoughts) return;
  const rows = thoughts.rows.slice(0, 12).map((row) => make(
    "tr", {}, make("td", {}, row.move),
    make("td", {}, make("meter", { min: "0", max: "1", value: row.share, "aria-label": "share" }), ` ${Math.round(100 * row.share)} %`),
    make("td", {}, row.value === null ? "" : String(row.value)),
  ));
  const entropy = thoughts.rows.reduce((sum, row) => (row.share > 0 ? sum - row.share * Math.log2(row.share) : sum), 0);
  element("thoughts").append(
    make("p", {}, `${thoughts.name}: ${KINDS[thoughts.kind]} Undecided by ${entropy.toFixed(1)} bits.`),
    ...(thoughts.expected ? [make("p", {}, `It expects, from -1 to 1 (the first place): ${standingsText(shown.seats, thoughts.expected)}.`)] : []),
    make("table", {}, make("tbody", {}, ...rows)),
  );
}

function trays() {
  const open = new Map(picker.targets.map((target) => [target.key, target]));
  element("trays").replaceChildren(
    ...shown.trays.flatMap((tray) => [
      make("h2", {}, tray.title),
      make("ul", {}, ...tray.cards.map((card) => make("li", {}, cardOf(card, open.get(card.key))))),
    ]),
  );
}

function cardOf(card, target) {
  const svg = picture(card);
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const shape = width > height ? "card wide" : "card";
  if (target) {
    svg.setAttribute("aria-hidden", "true");
    return make("button", { type: "button", class: shape, "data-key": card.key, "aria-label": `${target.text}: ${target.detail}` }, svg);
  }
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", card.title);
  return make("span", { class: shape, "data-title": card.title }, svg);
}

function piece(seat) {
  const made = make("span", { class: "piece", "data-colour": seat.colour }, seat.letter);
  made.style.background = seat.colour;
  made.style.color = readable(seat.colour);
  return made;
}

// Black or white, whichever is read better on a colour.
function readable(colour) {
  const parts = [1, 3, 5].map((at) => (parseInt(colour.slice(at, at + 2), 16) / 255) ** 2.2);
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] > 0.2 ? "#000" : "#fff";
}

function seats() {
  const rows = shown.seats.map((seat, place) =>
    make(
      "tr", { class: seat.deciding ? "deciding" : undefined },
      make("th", { scope: "row" }, piece(seat), ` ${seat.name}`),
      make("td", {}, place === shown.viewer ? "you" : seat.player, seat.deciding ? " – decides" : ""),
      make("td", {}, seat.facts.join(" · ")),
    ),
  );
  element("seats").replaceChildren(make("h2", {}, "Seats"), make("table", {}, make("tbody", {}, ...rows)));
}

function log() {
  const list = element("log");
  const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 8 || !list.children.length;
  const entries = shown.log.filter((entry) => entry.told.length);
  list.replaceChildren(
    ...entries.map((entry) =>
      make("li", { class: entry.undone ? "undone" : undefined }, piece(shown.seats[entry.seat]),
        make("div", {}, ...entry.told.map((sentence) => make("p", {}, sentence)))),
    ),
  );
  if (atEnd) list.scrollTop = list.scrollHeight;
  const fresh = shown.log.slice(Math.max(0, (read ?? 0) - shown.untold)).flatMap((entry) => entry.told);
  if (read !== null && fresh.length) element("news").textContent = fresh.slice(-8).join(" ");
  read = shown.untold + shown.log.length;
  element("earlier").hidden = !shown.untold;
}

function panels() {
  const open = new Set([...element("panels").querySelectorAll("details[open]")].map((details) => details.dataset.name));
  const folded = (name, ...children) =>
    make("details", { "data-name": uncounted(name), open: open.has(uncounted(name)) }, make("summary", {}, name), ...children);
  const tables = shown.panels.map((panel) => {
    const head = panel.header.some(Boolean) ? [make("thead", {}, make("tr", {}, ...panel.header.map(heading)))] : [];
    const rows = panel.rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell))));
    return folded(panel.title, make("table", {}, ...head, make("tbody", {}, ...rows)));
  });
  const position = shown.position ? [folded("The position in the notation", make("pre", { tabindex: "0" }, shown.position))] : [];
  element("panels").replaceChildren(...tables, folded("The board as text", make("pre", { tabindex: "0" }, shown.text)), ...position);
}

// A title without the number that stands behind it: "Discards (12)" is the panel that was "Discards (11)".
function uncounted(title) {
  return title.replace(/ \(\d+\)$/, "");
}

function heading(name) {
  return name ? make("th", { scope: "col" }, name) : make("td", {});
}

function past() {
  const back = shown.status === "past";
  element("look").disabled = false;
  element("look").max = shown.decisions;
  element("look").value = shown.look;
  element("look").setAttribute("aria-valuetext", `${shown.look} of ${shown.decisions}`);
  element("when").textContent = `${shown.look} of ${shown.decisions}`;
  element("present").hidden = !back;
  element("back").disabled = shown.look === 0;
  element("forth").disabled = !back;
}

// ---- what the person does

function choose(key, byKey = false) {
  if (sending) return;
  const move = picker.choose(key);
  if (move !== null) {
    send({ kind: "move", cookie: shown.cookie, move });
    return;
  }
  const held = focused(["board", "choices"]) ?? { place: "choices" };
  offer();
  focusOn(byKey && held.place === "board" && !board.hot.length ? { place: "choices" } : held);
}

function stepBack() {
  const held = focused(["board", "choices"]) ?? { place: "choices" };
  if (picker.back()) {
    offer();
    focusOn(held);
  }
}

// Where the focus is; on the board also on which target, and whether it came there by the keyboard.
function focused(places) {
  const at = document.activeElement;
  const place = places.find((id) => element(id).contains(at));
  return place && { place, target: at.dataset.target, seen: at.matches(":focus-visible") };
}

function focusOn({ place, target, seen = true }) {
  if (place === "board" && board.hot.length) board.focus(target, seen);
  else if (place === "trays" && document.querySelector("button.card")) document.querySelector("button.card").focus();
  else (element("choices").querySelector("button") ?? element("choices")).focus({ preventScroll: true });
}

function near(key) {
  const target = picker.options.find((option) => option.key === key);
  element("detail").textContent = (target ? [target.text, target.detail].filter(Boolean).join(": ") : picker.last?.detail) ?? "";
  board.ghost(picker, target);
}

// Gives whether the server did it. While it is still asked for something, nothing else is sent.
async function send(message) {
  if (sending) return false;
  const sent = (sending = here(message));
  document.body.dataset.sending = "yes";
  try {
    const now = await tell(sent);
    if (sending !== sent) return true; // the page was led elsewhere meanwhile
    if (isNews(now)) render(now);
    problem("");
    return true;
  } catch (error) {
    if (sending !== sent) return false;
    problem(error.message);
    if (error instanceof Failed && error.status === 409) await view(here({})).then(render, () => {});
    return false;
  } finally {
    if (sending === sent) forget();
  }
}

// Nothing waits for the answer to what was sent any more.
function forget() {
  sending = null;
  delete document.body.dataset.sending;
}

function problem(text) {
  if (element("error").textContent !== text) element("error").textContent = text; // the same is not read out again
}

async function show(query) {
  try {
    const now = await view(query);
    if (!isOld(now)) render(now);
    problem("");
  } catch (error) {
    problem(error.message);
  }
}

// With the whole log, once that was asked for.
const told = () => (whole ? { log: 1 } : {});
// Of the copy, while one is on the page.
const here = (query) => ({ ...query, ...told(), ...(trying ? { analysis: 1 } : {}) });
// The present is not asked for by its number: meanwhile more may have been decided.
const look = (to) => show(here(to < shown.decisions ? { look: Math.max(0, to) } : {}));

const nearby = (event) => event.target.closest?.("[data-key]")?.dataset.key;
for (const place of [element("choices"), element("trays")]) {
  place.addEventListener("click", (event) => nearby(event) && choose(nearby(event), true));
  for (const kind of ["pointerover", "focusin"]) {
    place.addEventListener(kind, (event) => {
      const key = nearby(event);
      if (key) near(key);
      else if (event.target.closest?.("[data-title]")) element("detail").textContent = event.target.closest("[data-title]").dataset.title;
      board.point(key);
    });
  }
  for (const kind of ["pointerout", "focusout"]) place.addEventListener(kind, () => { near(null); board.point(null); });
}
element("choices").addEventListener("keydown", (event) => {
  const buttons = [...element("choices").children];
  const here = buttons.indexOf(document.activeElement);
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (here < 0 || !step || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const next = buttons[(here + step + buttons.length) % buttons.length];
  buttons[here].setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
});
const typing = (event) => event.target.matches("input, select, textarea");
// A key that is held down decides once.
document.addEventListener("keydown", (event) => {
  if (!event.repeat || typing(event) || !/^(Enter| |Escape|[1-9])$/.test(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
}, true);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") stepBack();
  else if (!typing(event) && /^[1-9]$/.test(event.key) && !event.ctrlKey && !event.altKey && !event.metaKey) {
    const target = picker.options[Number(event.key) - 1];
    if (target) choose(target.key, true);
  }
});
element("path").addEventListener("click", (event) => event.target.closest("button") && stepBack());
element("earlier").addEventListener("click", async () => {
  whole = true;
  await look(shown.look);
  whole = !shown.untold; // else it did not come
});
element("undo").addEventListener("click", () => send({ kind: "undo", cookie: shown.cookie }));
element("pace").addEventListener("change", () => send({ kind: "pace", pace: Number(element("pace").value) }));
element("skip").addEventListener("click", () => focusOn({ place: "choices" }));
element("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const move = element("move").value.trim();
  if (move) send({ kind: "move", cookie: shown.cookie, move }).then((done) => { if (done) element("move").value = ""; });
});
element("safe").addEventListener("change", () => {
  keep("safe", element("safe").checked ? "yes" : "");
  paint();
});
element("think").addEventListener("click", async () => {
  if (thinking) return;
  thinking = true;
  element("think").setAttribute("aria-disabled", "true"); // a disabled button would lose the focus
  element("thoughts").textContent = "Thinking …";
  try {
    const found = await tell(here({ kind: "think", player: element("mind").value }));
    if (found.cookie === shown.cookie) thoughts = found; // else it is about a decision that was taken meanwhile
    problem("");
  } catch (error) {
    problem(error.message);
  }
  thinking = false;
  element("think").removeAttribute("aria-disabled");
  listThoughts();
  offer();
});
element("decide").addEventListener("click", () => send({ kind: "decide", player: element("mind").value }));
element("analyse").addEventListener("click", () => send({ kind: "analyse", ...(shown.status === "past" ? { look: shown.look } : {}) }));
element("redeal").addEventListener("click", () => send({ kind: "redeal" }));
element("edit").addEventListener("click", () => send({ kind: "edit", position: element("position").value }));
element("share").addEventListener("click", async () => {
  const address = addressOf(element("position").value);
  try {
    await navigator.clipboard.writeText(address); // browsers have it for this machine's own pages alone, and may ask first
    element("copied").textContent = "Copied.";
  } catch {
    element("copied").textContent = address;
  }
});
element("banner").addEventListener("click", async (event) => {
  if (!event.target.closest("button")) return;
  forget();
  await show(told());
  if (!trying) element("prompt").focus();
});
element("look").addEventListener("input", () => look(Number(element("look").value)));
element("back").addEventListener("click", () => look(shown.look - 1));
element("forth").addEventListener("click", () => look(shown.look + 1));
element("present").addEventListener("click", () => look(shown.decisions));
element("zoom").addEventListener("click", (event) => {
  const step = event.target.closest("button")?.dataset.zoom;
  if (step !== undefined) board.scale(Number(step));
});

// ---- what the server tells

// Answers may overtake each other: what is older than the page, or the same, is not shown again.
function isNews(now) {
  return shown === null || Boolean(now.analysis) !== trying || shown.status === "past" || now.version > shown.version;
}

function isOld(now) {
  return !isNews(now) && now.status !== "past" && now.version < shown.version;
}

let lost = false; // whether the server did not answer: it may have begun anew

// What is newer than a version. A browser opens at most six connections to a server, for all its tabs: so only a tab that is
// seen keeps one open until there is something, the others ask now and then.
async function news(known) {
  if (known === null) return view(told());
  const turned = new AbortController();
  const turning = new Promise((resolve) => {
    document.addEventListener("visibilitychange", () => resolve(turned.abort()), { signal: turned.signal });
  });
  try {
    if (!document.hidden) return await view({ ...told(), after: known, wait: 1 }, turned.signal);
    await Promise.race([turning, new Promise((resolve) => setTimeout(resolve, 2000))]);
    return await view({ ...told(), after: known });
  } catch (error) {
    if (turned.signal.aborted) return { status: "same" };
    throw error;
  } finally {
    turned.abort();
  }
}

async function follow() {
  let known = null;
  for (;;) {
    try {
      let now = await news(known);
      if (whole && now.untold) now = await view(told()); // it had been asked before the whole log was
      if (now.status === "same") continue;
      if (now.status === "starting") {
        render(now);
        continue;
      }
      known = now.version;
      const again = lost;
      if (lost) problem("");
      lost = false;
      if (shown === null && position !== null) {
        render(now);
        await send({ kind: "analyse", position });
      } else if (trying && !alone) {
        continue;
      } else if (shown?.status === "past") {
        shown.decisions = now.decisions;
        past();
      } else if (again || isNews(now)) render(now);
    } catch (error) {
      [lost, known] = [true, null];
      problem(error.message);
      if (error instanceof Failed && error.status === 403 && shown === null) return; // else the game may be gone on with
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

function paint() {
  document.body.classList.toggle("safe", element("safe").checked);
}

element("safe").checked = kept("safe") === "yes";
paint();
follow();
