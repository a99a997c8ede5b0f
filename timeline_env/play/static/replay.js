const element = (id) => document.getElementById(id);
const packed = Uint8Array.from(atob(element("content").textContent), (letter) => letter.charCodeAt(0));
const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
const game = JSON.parse(await new Response(stream).text());
let view = game.views[0];
let at = 0;
let playing = null;

function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

function picture(stretches) {
  const lines = [];
  for (let i = 0; i < stretches.length; i += 2) lines.push(...game.lines.slice(stretches[i], stretches[i] + stretches[i + 1]));
  const parsed = new DOMParser().parseFromString(lines.join("\n"), "image/svg+xml").documentElement;
  const svg = document.importNode(parsed, true);
  const title = svg.querySelector("title");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", title?.textContent ?? "");
  title?.remove();
  return svg;
}

function readable(colour) {
  const parts = [1, 3, 5].map((from) => (parseInt(colour.slice(from, from + 2), 16) / 255) ** 2.2);
  return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2] > 0.2 ? "#000" : "#fff";
}

function piece(seat) {
  const made = make("span", { class: "piece" }, seat.letter);
  made.style.background = seat.colour;
  made.style.color = readable(seat.colour);
  return made;
}

function mind() {
  element("mind").hidden = !game.mind;
  if (!game.mind) return;
  const found = game.mind.thoughts[at];
  element("mind").querySelector("h2").textContent = found ? `${game.mind.name} thinks of the decision that comes` : game.mind.name;
  element("mind").querySelector("p").textContent = found?.expected
    ? `It expects, from -1 to 1 (the first place): ${standingsText(game.seats, found.expected)}.` : "";
  const rows = (found?.rows ?? []).map(([move, share, value]) =>
    make("tr", move === found.chosen ? { class: "chosen" } : {}, make("td", {}, move),
      make("td", {}, make("meter", { min: "0", max: "1", value: share, "aria-label": "share" }), ` ${Math.round(100 * share)} %`),
      make("td", {}, value === null ? "" : String(value))));
  element("mind").querySelector("tbody").replaceChildren(...rows);
}

function show() {
  const frame = view.frames[at];
  element("board").replaceChildren(picture(frame.board));
  element("prompt").textContent = frame.prompt;
  element("told").replaceChildren(...frame.told.map((sentence) => make("p", {}, sentence)));
  const rows = game.seats.map((seat, place) =>
    make("tr", {}, make("th", { scope: "row" }, piece(seat), ` ${seat.name}`), make("td", {}, seat.player), make("td", {}, frame.facts[place])));
  element("seats").replaceChildren(make("table", {}, make("tbody", {}, ...rows)));
  element("hands").replaceChildren(...frame.hands.flatMap((hand) => [
    make("h2", {}, `Hand of ${game.seats[hand.seat].name}`),
    make("ul", { class: "cards" }, ...hand.cards.map((card) => make("li", {}, picture(card)))),
  ]));
  mind();
  element("chart").replaceChildren(chart(game.seats, view.frames.slice(0, at + 1).map((each) => each.standing)));
  element("position").textContent = frame.position;
  const last = view.frames.length - 1;
  element("at").max = last;
  element("at").value = at;
  element("at").setAttribute("aria-valuetext", `${at} of ${last}`);
  element("number").textContent = `${at} of ${last}`;
}

function go(to) {
  at = Math.max(0, Math.min(to, view.frames.length - 1));
  show();
}

function play(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => (at < view.frames.length - 1 ? go(at + 1) : play(false)), 900) : null;
  element("play").textContent = on ? "❙❙" : "▶▶";
  element("play").setAttribute("aria-label", on ? "Stop" : "Play");
}

for (const [place, each] of game.views.entries()) element("view").append(make("option", { value: place }, each.name));
element("view").addEventListener("change", () => { view = game.views[Number(element("view").value)]; show(); });
const jumps = { first: () => 0, back: () => at - 1, forth: () => at + 1, end: () => view.frames.length - 1 };
for (const [id, to] of Object.entries(jumps)) element(id).addEventListener("click", () => { play(false); go(to()); });
element("play").addEventListener("click", () => play(playing === null));
element("at").addEventListener("input", () => go(Number(element("at").value)));
document.addEventListener("keydown", (event) => {
  if (event.target.matches("select, input") || event.altKey || event.ctrlKey || event.metaKey) return;
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: view.frames.length - 1 }[event.key];
  if (to !== undefined) { event.preventDefault(); play(false); go(to); }
  else if (event.key === " " && !event.target.matches("button, summary")) { event.preventDefault(); play(playing === null); }
});
show();
document.body.dataset.ready = "yes";
