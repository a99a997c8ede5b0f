// Asks the server. The secret of the seat stands behind the # of the address, which no server sees, and goes along in a header.
import { keep, kept } from "./memory.js";

export class Failed extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

// An address that opens a position has none: it is opened with the secret that was used last.
const [given, shared] = location.hash.slice(1).split("&p=");
const secret = given || kept("secret");
export const position = shared === undefined ? null : decoded(shared);
addEventListener("hashchange", () => location.reload());

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
  if (given) keep("secret", secret); // only one that opened something: a mistyped address must not take its place
  return content;
}

export function view(query, signal) {
  return asked("view?" + new URLSearchParams(query), { signal });
}

export function tell(message) {
  return asked("act", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message) });
}
