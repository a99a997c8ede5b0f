// Draws how the seats stand along the game: a line a seat, -1 (last) to 1 (first), with the seat's letter at its end.

const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, EDGE] = [400, 110, 14];

function shape(tag, attributes, text) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  if (text) made.textContent = text;
  return made;
}

// How each seat stands, from -1 to 1, in words.
export function standingsText(seats, values) {
  return seats.map((seat, place) => `${seat.name} ${values[place].toFixed(2)}`).join(", ");
}

export function chart(seats, standings) {
  const svg = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  const last = standings.at(-1);
  const told = standingsText(seats, last);
  svg.setAttribute("aria-label", `After ${standings.length - 1} decisions, from -1 (sure to be last) to 1 (sure to be first): ${told}`);
  const x = (at) => (at / Math.max(standings.length - 1, 1)) * (WIDTH - 2 * EDGE);
  const y = (value) => HEIGHT / 2 - (value * (HEIGHT - 2 * EDGE)) / 2;
  svg.append(shape("line", { x1: 0, x2: WIDTH, y1: y(0), y2: y(0), stroke: "#b9b3a4" }));
  // Letters that would lie upon each other move down.
  const letters = seats.map((seat, place) => ({ seat, at: y(last[place]) + 4 })).sort((a, b) => a.at - b.at);
  for (let i = 1; i < letters.length; i += 1) letters[i].at = Math.max(letters[i].at, letters[i - 1].at + 11);
  const over = Math.max(0, letters.at(-1).at - HEIGHT + 2);
  for (const { seat, at } of letters) {
    svg.append(shape("text", { x: x(standings.length - 1) + 4, y: at - over, "font-size": 12, "font-weight": 700 }, seat.letter));
  }
  for (const [place, seat] of seats.entries()) {
    const points = standings.map((values, at) => `${x(at).toFixed(1)},${y(values[place]).toFixed(1)}`).join(" ");
    svg.append(shape("polyline", { points, stroke: seat.colour }));
  }
  return svg;
}
