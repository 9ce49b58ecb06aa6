// A game in progress: events with undo and redo, and its record as text.

export const BARBARIANS = 'barbarians';

/** The lines of a record before its first turn. */
export function headOf(position, board) {
  const [ruleset] = position.split(' ');
  const form = /[+]([a-z-]+[+])*barbaria\b/.test(ruleset) ? 2 : 1;
  return `tetrasolve-record/${form}\nboard ${board}\nruleset ${ruleset}\nstart ${position}\n`;
}

/** The events of a record that was replayed, each with its action, faces, position, result, and what `changes` says of the data before and after it. */
export const eventsOf = ({ states, result }, changes) => states.slice(1).map(({ json, ...row }, number) => ({
  ...row, changes: json && changes(states[number].json, json), result: result === 'open' || states[number + 2] ? '' : result,
}));

export class GameHistory {
  /** `head` ends with the start of the game; `emperors` are in the order of their turns. */
  constructor(head, emperors, events = []) {
    Object.assign(this, { head: `${head.trimEnd()}\n`, emperors, events, at: events.length });
    this.start = this.head.match(/^start (.*)$/m)[1];
  }

  get position() {
    return this.at ? this.events[this.at - 1].position : this.start;
  }

  get result() {
    return this.at ? this.events[this.at - 1].result : '';
  }

  /** The position on the board: after a fall the last one before it. */
  get shown() {
    return this.position || (this.at > 1 ? this.events[this.at - 2].position : this.start);
  }

  /** The number of events before this turn. */
  get turn() {
    for (let at = this.at; at > 0; at -= 1) if (this.events[at - 1].action === BARBARIANS) return at;
    return 0;
  }

  get turns() {
    return 1 + this.events.slice(0, this.at).filter((row) => row.action === BARBARIANS).length;
  }

  get turnStart() {
    return this.turn ? this.events[this.turn - 1].position : this.start;
  }

  /** What was done in this turn. */
  get played() {
    return this.events.slice(this.turn, this.at).map((row) => row.action).filter((text) => text !== 'end');
  }

  add(event) {
    this.events.splice(this.at, Infinity, event);
    this.at += 1;
  }

  text() {
    const lines = [];
    let active = this.emperors.findIndex((row) => row.letter === this.start.split(' ')[1][0]);
    let number = 1;
    let actions = [];
    const close = () => lines.push(`${number} ${this.emperors[active].id}: ${actions.join('; ')}`);
    for (const { action, faces = [] } of this.events.slice(0, this.at)) {
      if (action !== BARBARIANS) {
        actions.push(faces.length ? `${action} ${faces.join('-')}` : action);
        continue;
      }
      if (actions.length || number > 1 || !/:b/.test(this.start.split(' ')[1])) close();
      lines.push(`dice: ${faces.join(' ')}`);
      [actions, number, active] = [[], number + 1, (active + 1) % this.emperors.length];
    }
    if (actions.length) close();
    return `${this.head}${lines.map((line) => `${line}\n`).join('')}result ${this.result || 'open'}\n`;
  }
}
