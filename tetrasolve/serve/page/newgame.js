// A new game with its rules, and games as records: out of the page, and into it.
//
// A game gives levels (value to label), the usual one, about (what a note below says), fields (elements), chosen(form) (names of what its readings and
// numbers can need), body(form, changed) (of the question; `changed` are readings and numbers as NAME=VALUE), and perhaps numbers, a list of fields.
import { button, download, field, h } from './dom.js';
import { chooser, RECORDS } from './parts.js';

/** A field of a reading or a number, which makes a difference with some modules only. */
export function optional({ needs }, box) {
  box.dataset.needs = needs.join(' ');
  return box;
}

const random = () => Math.floor(Math.random() * 1e6);
const folded = (ctx, name, rows) => h('details', {}, h('summary', {}, ctx.t(name)), h('p', { class: 'note' }, ctx.t(`${name}.about`)), h('div', { class: 'readings' }, rows));

export function newGame(ctx, table, { levels, usual, about, fields, chosen, body, numbers }) {
  const { t, lang } = ctx;
  const readings = ctx.game.readings.map((row) => {
    const values = row.options[lang];
    return optional(row, field([row.name, row.page && ` (${t('page', { page: row.page })})`, `: ${row.rule[lang]}`], { name: row.name, 'data-usual': Object.keys(row.options.en)[0] },
      Object.fromEntries(Object.entries(values).map(([value, text]) => [value, `${value}: ${text}`]))));
  });

  /** Shows the fields that make a difference with what is chosen. */
  function open() {
    const found = new Set(chosen(form));
    for (const box of form.querySelectorAll('[data-needs]')) box.hidden = Boolean(box.dataset.needs) && !box.dataset.needs.split(' ').some((name) => found.has(name));
  }

  async function begin(event) {
    event.preventDefault();
    const changed = [...form.querySelectorAll('[data-usual]')].filter((input) => !input.closest('label').hidden && input.value !== input.dataset.usual).map((input) => `${input.name}=${input.value}`);
    try {
      table.open((await ctx.ask('new', { seed: Number(form.elements.seed.value), ...body(form, changed) })).record);
      form.elements.seed.value = random(); // the next game is another one
    } catch (error) {
      ctx.say(error);
    }
  }

  const form = h('form', { onsubmit: begin, onchange: open },
    h('h2', {}, t('game.new')),
    h('div', { class: 'row' }, field(t('level'), { name: 'level', value: usual }, levels),
      field(t('seed'), { name: 'seed', type: 'number', min: 0, max: 999999999, required: true, value: random() })),
    h('p', { class: 'note' }, t(about)), fields, folded(ctx, 'readings', readings), numbers && folded(ctx, 'house', numbers),
    h('p', {}, h('button', { class: 'primary' }, t('game.begin'))));
  const record = field(t('record'), { rows: 8, spellcheck: 'false' });
  const area = record.lastChild;
  const show = () => { area.value = table.record(); };
  open();
  return {
    root: h('div', {}, form, h('h2', {}, t('record')), h('p', { class: 'note' }, t('record.about')), record,
      h('p', { class: 'row' }, chooser(t('record.file'), (found) => { area.value = found; }, RECORDS), button(t('record.open'), () => table.open(area.value)), button(t('record.keep'), () => download('game.txt', table.record())),
        button(t('link.copy'), () => navigator.clipboard.writeText(location.href).then(() => ctx.announce(t('link.copied')), ctx.say)))),
    show,
    clear: show,
  };
}

/** The values of the boxes of a form that are ticked. */
export const ticked = (form, name) => [...form.querySelectorAll(`[name="${name}"]:checked`)].map((input) => input.value);
