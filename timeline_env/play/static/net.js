// Asks the server. The secret of the seat stands behind the # of the address, which no server sees, and goes along in a header.

export class Failed extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

// An address that opens a position has none: it is opened with the secret that was used last.
const [given, shared] = location.hash.slice(1).split("&p=");
if (given) localStorage.setItem("secret", given);
const secret = given || (localStorage.getItem("secret") ?? "");
export const position = shared === undefined ? null : decodeURIComponent(shared);

export function addressOf(text) {
  return `${location.origin}/#&p=${encodeURIComponent(text)}`;
}

async function asked(path, options = {}) {
  const answer = await fetch(path, { ...options, headers: { "X-Secret": secret, ...options.headers } });
  const content = await answer.json();
  if (!answer.ok) throw new Failed(content.error, answer.status);
  return content;
}

export function view(query) {
  return asked("view?" + new URLSearchParams(query));
}

export function tell(message) {
  return asked("act", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message) });
}
