// Small parts that views of every game have.
import { button, h, parsed } from './dom.js';

const PERCENT = { style: 'percent', maximumFractionDigits: 1 };
const SMALL = 0.001; // a share below it is written with two digits that count

export const percent = (ctx, share) => new Intl.NumberFormat(ctx.lang, share && share < SMALL ? { ...PERCENT, maximumSignificantDigits: 2 } : PERCENT).format(share);

/** An exact fraction of the service, with its percentage or, with `plain`, its value. */
export function exact(ctx, { exact: text, float }, plain = false) {
  const value = plain ? new Intl.NumberFormat(ctx.lang, { maximumFractionDigits: 3 }).format(float) : percent(ctx, float);
  return /^\d+$/.test(text) ? value : `${text} ≈ ${value}`;
}

/** A table of chances: its caption, what the first column is where that is not clear, and rows of names and texts. */
export const chances = (ctx, caption, head, rows) => rows.length > 0 && h('table', {}, h('caption', {}, caption),
  head && h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, head), h('th', { scope: 'col', class: 'number' }, ctx.t('chance')))),
  h('tbody', {}, rows.map(([name, text]) => h('tr', {}, h('th', { scope: 'row' }, name), h('td', { class: 'number' }, text)))));

/** A number with its sign, in percent. */
export const signed = (ctx, share) => new Intl.NumberFormat(ctx.lang, { ...PERCENT, signDisplay: 'exceptZero' }).format(share);

/** Options of a field: nothing chosen, then each value under its label. */
export const options = (none, rows) => [['', none], ...rows];

/** Each of a list under its label, for a field. */
export const named = (list, label) => Object.fromEntries(list.map((name) => [name, label(name)]));

/** A row of a table under its title, and the head of one. */
export const row = (title, ...cells) => h('tr', {}, h('th', { scope: 'row' }, title), cells.map((cell) => h('td', {}, cell)));
export const heads = (...titles) => h('thead', {}, h('tr', {}, titles.map((title) => h('th', { scope: 'col' }, title))));

/** What may be wider than the screen. */
export const wide = (label, ...kids) => h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, ...kids);

/** Plans side by side: their titles, and rows of a name and a cell for each; `differs` marks those that are not the same. */
export const comparison = (ctx, titles, rows) => wide(ctx.t('compare.title'), h('table', { class: 'comparison' }, h('caption', {}, ctx.t('compare.title')),
  h('thead', {}, h('tr', {}, h('td'), titles.map((title) => h('th', { scope: 'col' }, title)))), h('tbody', {}, rows.map((cells) => row(...cells)))));
export const differs = (ctx, name, isOther) => [name, isOther && h('span', { class: 'differs' }, ` ≠ ${ctx.t('differs')}`)];

/** A link within the page that the history remembers. */
export const link = (ctx, changes, ...label) => h('a', {
  href: ctx.link(changes),
  onclick: (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    ctx.set(changes, { push: true });
  },
}, ...label);

/** A picture of the service. */
export function picture(svg, label) {
  const found = parsed(svg);
  found.setAttribute('role', 'img');
  found.setAttribute('aria-label', label);
  return found;
}

/** Why a position cannot occur, with the place. */
export const reason = (ctx, { where, text }) => (where ? `${ctx.name?.(where) ?? where}: ` : '') + text;

/** Runs what a button begins; it cannot be pressed again until that has ended. */
export const once = (ctx, work) => async (event) => {
  const { currentTarget: pressed } = event;
  pressed.disabled = true;
  try {
    await work(event);
  } catch (problem) {
    ctx.say(problem);
  }
  pressed.disabled = false;
};

export const RECORDS = '.txt,.record,text/plain'; // files of games

/** A file that the user chooses, as text. */
export function chooser(label, give, accept) {
  const input = h('input', { type: 'file', accept, class: 'sr', onchange: async () => { if (input.files[0]) give(await input.files[0].text()); input.value = ''; } });
  return h('label', { class: 'button' }, label, input);
}

/** Questions of which one is asked at a time: `run(ask)` ends the one before it, as the button `stop` does. */
export function asking(ctx, status) {
  let control;
  const end = () => control?.abort();
  const stop = button(ctx.t('stop'), end, { disabled: true });
  async function run(ask) {
    end();
    const own = new AbortController();
    control = own;
    stop.disabled = false;
    try {
      await ask(own.signal);
    } catch (error) {
      if (control === own) status.textContent = error.name === 'AbortError' ? ctx.t('stopped') : error.message;
    }
    if (control === own) stop.disabled = true;
  }
  return { run, stop, end };
}
