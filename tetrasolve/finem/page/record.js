// A game in progress: cards and decisions with undo and redo, and its record as text.

const OPEN = 'open';
const ACT = 'act';

/** The lines of a record before its first phase, for a game that begins with a position. */
export const headOf = (position) => `tetrasolve-et-finem-record/1\nruleset ${position.split(' ')[0]}\nstart ${position}\n`;

/** The first lines of a record, to its start. */
export const recordHead = (record) => {
  const start = record.match(/^start .*$/m);
  return start ? `${record.slice(0, start.index)}${start[0]}\n` : '';
};

/** The events of a record that was replayed. */
export const eventsOf = (replayed) => replayed.states.slice(1).map((row, number, rows) => ({
  ...row, result: number === rows.length - 1 && replayed.result !== OPEN ? replayed.result : '',
}));

export class GameHistory {
  /** `head` ends with the start of the game; `phases` has the phase of each step, `chances` are the steps at which a card comes. */
  constructor(head, { phases, chances }, events = []) {
    Object.assign(this, { head, phases, chances, events, at: events.length });
    this.start = head.match(/^start (.*)$/m)[1];
  }

  /** The position before an event; `at` itself is that on the board. */
  before(at) {
    for (let here = at; here > 0; here -= 1) if (this.events[here - 1].position) return this.events[here - 1].position;
    return this.start;
  }

  /** The position on the board: after the end the last one before it. */
  get shown() {
    return this.before(this.at);
  }

  get result() {
    return this.at ? this.events[this.at - 1].result : '';
  }

  step(at) {
    return this.before(at).split(' ')[6].split(':')[0];
  }

  /** The number of the event with which the last decisions began: the actions of a turn up to a card, or another decision. */
  get began() {
    let found = this.at;
    while (found > 0 && this.chances.includes(this.step(found))) found -= 1; // cards that came since
    while (found > 0 && this.step(found) === ACT && this.step(found - 1) === ACT) found -= 1;
    return found;
  }

  /** The position before them. */
  get decision() {
    return this.before(this.began);
  }

  /** What was decided. */
  get decided() {
    const { began } = this;
    return this.events.slice(began, this.at).filter((_, number) => !this.chances.includes(this.step(began + number))).map((row) => row.action);
  }

  add(event) {
    this.events.splice(this.at, Infinity, event);
    this.at += 1;
  }

  /** What the line of an event's phase begins with. */
  phaseLine(at) {
    const phase = this.phases[this.step(at)];
    return phase === 'actions' ? `${phase} ${this.before(at).split(' ')[1]}` : phase;
  }

  /** The number of the turn. */
  get turns() {
    return 1 + this.events.slice(0, this.at).filter((row, at) => this.phaseLine(at) === 'role').length;
  }

  text() {
    const lines = [];
    let before;
    this.events.slice(0, this.at).forEach(({ action }, at) => {
      const head = this.phaseLine(at);
      if (head === before) lines.push(`${lines.pop()}; ${action}`);
      else lines.push(`${head}: ${action}`);
      before = head;
    });
    return `${this.head}${lines.map((line) => `${line}\n`).join('')}result ${this.result || OPEN}\n`;
  }
}
