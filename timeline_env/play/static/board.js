// Shows the server's pictures, and makes of them what can be clicked now.

export function picture(content) {
  const parsed = new DOMParser().parseFromString(content.svg, "image/svg+xml").documentElement;
  const svg = document.importNode(parsed, true);
  svg.querySelector("title")?.remove();
  return svg;
}

export class Board {
  // `choose(key)` is called for a click, `near(target)` while a target is pointed at or has the focus.
  constructor(place, choose, near) {
    this.place = place;
    this.near = near;
    this.zoom = 1;
    place.addEventListener("click", (event) => {
      const hit = event.target.closest(".hit.hot");
      if (hit) choose(hit.dataset.target);
    });
    place.addEventListener("keydown", (event) => this.key(event, choose));
    for (const [kind, on] of [["pointerover", true], ["focusin", true], ["pointerout", false], ["focusout", false]]) {
      place.addEventListener(kind, (event) => {
        const hit = event.target.closest(".hit.hot");
        if (hit) near(on ? hit.dataset.target : null);
      });
    }
  }

  show(content) {
    const svg = picture(content);
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", content.title);
    this.place.replaceChildren(svg);
  }

  scale(step) {
    this.zoom = step ? Math.min(4, Math.max(1, this.zoom * (step > 0 ? 1.25 : 0.8))) : 1;
    this.place.classList.toggle("fit", this.zoom === 1);
    this.place.style.setProperty("--zoom", this.zoom);
  }

  get hot() {
    return [...this.place.querySelectorAll(".hit.hot")];
  }

  offer(picker) {
    const options = new Map(picker.options.map((target) => [target.key, target]));
    let first = true;
    for (const hit of this.place.querySelectorAll(".hit")) {
      const target = options.get(hit.dataset.target);
      hit.classList.toggle("hot", target !== undefined);
      hit.classList.remove("near");
      for (const name of ["role", "tabindex", "aria-label"]) hit.removeAttribute(name);
      if (!target) continue;
      hit.setAttribute("role", "button");
      hit.setAttribute("tabindex", first ? "0" : "-1");
      hit.setAttribute("aria-label", target.detail ? `${target.text}: ${target.detail}` : target.text);
      first = false;
    }
    this.ghost(picker, null);
  }

  // The card that was chosen and is not laid yet, turned as the target says that is pointed at.
  ghost(picker, near) {
    const turned = [near, ...picker.picked, ...picker.options].find((target) => target?.turn !== undefined);
    for (const ghost of this.place.querySelectorAll(".ghost")) {
      const shown = picker.picked[0]?.key === ghost.dataset.ghost;
      ghost.classList.toggle("shown", shown);
      const turning = ghost.querySelector(".turning");
      if (shown && turned) turning.setAttribute("transform", `rotate(${60 * turned.turn} ${turning.dataset.about})`);
    }
  }

  point(key) {
    for (const hit of this.hot) hit.classList.toggle("near", hit.dataset.target === key);
  }

  // Tints the targets by how much of a player's thoughts lies behind each.
  tint(shares) {
    for (const hit of this.hot) {
      const share = shares.get(hit.dataset.target);
      hit.classList.toggle("thought", share !== undefined);
      if (share !== undefined) hit.style.setProperty("--share", share);
    }
  }

  // Focuses a target as long as it can be chosen, else the first. Only whom the keyboard led here (`seen`) is taken along to the first.
  focus(target, seen) {
    const hot = this.hot;
    const same = hot.find((hit) => hit.dataset.target === target);
    const next = same ?? hot[0];
    for (const hit of hot) hit.setAttribute("tabindex", hit === next ? "0" : "-1");
    next.focus({ preventScroll: same !== undefined || !seen });
  }

  key(event, choose) {
    const hit = event.target.closest?.(".hit.hot");
    if (!hit || event.altKey || event.ctrlKey || event.metaKey) return; // those are the browser's own
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      choose(hit.dataset.target, true);
    } else if (WAYS[event.key]) {
      event.preventDefault();
      const next = nearest(hit, this.hot, WAYS[event.key]);
      if (!next) return;
      hit.setAttribute("tabindex", "-1");
      next.setAttribute("tabindex", "0");
      next.focus();
    }
  }
}

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function middle(element) {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

// The nearest in a direction, where what lies aside counts twice; if there is none, the farthest the other way round.
function nearest(from, all, [dx, dy]) {
  const [x, y] = middle(from);
  let best = null, least = Infinity;
  for (const other of all) {
    if (other === from) continue;
    const [ox, oy] = middle(other);
    const ahead = (ox - x) * dx + (oy - y) * dy;
    const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
    const cost = ahead > 1 ? ahead + 2 * aside : 1e6 + ahead + aside;
    if (cost < least) [best, least] = [other, cost];
  }
  return best;
}
