// Asks the server. The secret of the seat stands behind the # of the address, which no server sees, and goes along in a header.

export class Failed extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

// An address that opens a position has none: it is opened with the secret that was used last.
const [given, shared] = location.hash.slice(1).split("&p=");
const secret = given || remembered();
export const position = shared === undefined ? null : decoded(shared);
addEventListener("hashchange", () => location.reload());

// A browser may keep nothing.
function remembered() {
  try {
    return localStorage.getItem("secret") ?? "";
  } catch {
    return "";
  }
}

// Only a secret that opened something: a mistyped address must not take its place.
function remember() {
  try {
    localStorage.setItem("secret", secret);
  } catch {
    // then an address without one opens nothing
  }
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // the server says what is wrong with it
  }
}

export function addressOf(text) {
  return `${location.origin}/#&p=${encodeURIComponent(text)}`;
}

async function asked(path, options = {}) {
  const answer = await fetch(path, { ...options, headers: { "X-Secret": secret, ...options.headers } }).catch(() => {
    throw new Error("The game cannot be reached; the page tries again until it can.");
  });
  const content = await answer.json().catch(() => ({ error: `The program failed (${answer.status}); its terminal says why.` }));
  if (!answer.ok) throw new Failed(content.error, answer.status);
  if (given) remember();
  return content;
}

export function view(query, signal) {
  return asked("view?" + new URLSearchParams(query), { signal });
}

export function tell(message) {
  return asked("act", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message) });
}
