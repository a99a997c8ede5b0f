// What has been clicked of a path of targets, and what can be clicked next. It knows no rule: the paths come from the server.

export class Picker {
  constructor(targets = []) {
    this.targets = targets;
    this.picked = [];
  }

  get last() {
    return this.picked.at(-1);
  }

  get options() {
    return this.last ? this.last.next : this.targets;
  }

  // Gives the move that is decided, or null while more is to be clicked. A click on another first target begins anew.
  choose(key) {
    let found = this.options.find((target) => target.key === key);
    if (!found) {
      found = this.targets.find((target) => target.key === key);
      if (!found) return null;
      this.picked = [];
    }
    if (found.move !== undefined) return found.move;
    this.picked.push(found);
    return null;
  }

  back() {
    return this.picked.pop() !== undefined;
  }

  moves() {
    const found = [];
    const walk = (targets) => {
      for (const target of targets) target.move === undefined ? walk(target.next) : found.push(target.move);
    };
    walk(this.targets);
    return found;
  }
}
