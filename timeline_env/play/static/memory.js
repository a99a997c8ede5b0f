// What the browser keeps for the page; it may keep nothing.

export function kept(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // then the next page begins without it
  }
}
