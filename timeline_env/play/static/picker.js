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
    return this.targets.flatMap(movesOf);
  }

  // For each target that can be clicked next the sum over the moves behind it.
  sums(shares) {
    const sum = (target) => movesOf(target).reduce((total, move) => total + (shares.get(move) ?? 0), 0);
    return new Map(this.options.map((target) => [target.key, sum(target)]));
  }
}

function movesOf(target) {
  return target.move === undefined ? target.next.flatMap(movesOf) : [target.move];
}
