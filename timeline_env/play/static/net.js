// Asks the server. The secret of the seat stands behind the # of the address, which no server sees, and goes along in a header.

export class Failed extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

async function asked(path, options = {}) {
  const secret = location.hash.slice(1);
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
