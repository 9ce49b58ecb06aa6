// A new game with its rules, and games as records: out of the page, and into it.
import { button, download, field, fill, h } from '../dom.js';

const names = (form, name) => [...form.querySelectorAll(`[name="${name}"]:checked`)].map((input) => input.value);

export function gamePanel(ctx, table) {
  const { game } = ctx;
  const pairs = (list, key) => Object.fromEntries(list.map((name) => [name, ctx.t(`${key}.${name}`)]));
  const check = (name, value, label) => field(label, { type: 'checkbox', name, value });
  const readings = h('div', { class: 'readings' });
  const house = h('div', { class: 'readings' });
  /** It makes a difference with some modules only. */
  const needing = ({ needs }, box) => {
    box.dataset.needs = needs.join(' ');
    return box;
  };
  const scenario = field(ctx.t('scenario'), { name: 'scenario', onchange: () => open() }, { '': ctx.t('scenario.none'), ...pairs(game.scenarios.map((row) => row.id), 'scenario') });
  const fixed = check('fixed', '1', ctx.t('fixed'));

  /** The readings and house rules that make a difference with what is chosen. */
  function open() {
    const war = game.scenarios.find((row) => row.id === form.elements.scenario.value);
    const chosen = new Set([...names(form, 'module'), ...names(form, 'variant'), ...(war?.modules || [])]);
    fixed.hidden = !war;
    for (const box of [...readings.children, ...house.children]) box.hidden = Boolean(box.dataset.needs) && !box.dataset.needs.split(' ').some((name) => chosen.has(name));
  }

  async function begin(event) {
    event.preventDefault();
    const get = (name) => form.elements[name].value;
    const changed = [...form.querySelectorAll('[data-usual]')].filter((input) => !input.closest('label').hidden && input.value !== input.dataset.usual);
    const level = get('level') + (changed.length ? `?${changed.map((input) => `${input.name}=${input.value}`)}` : '');
    const war = get('scenario');
    const body = { level, seed: Number(get('seed')), modules: names(form, 'module'), variants: names(form, 'variant') };
    if (war) Object.assign(body, { scenario: war, fixed: names(form, 'fixed').length > 0 });
    const fleets = get('fleets').match(/[1-9]/g);
    if (fleets) body.fleets = fleets.map(Number);
    try {
      table.open((await ctx.ask('new', body)).record);
    } catch (error) {
      ctx.say(error);
    }
  }

  const seed = field(ctx.t('seed'), { name: 'seed', type: 'number', min: 0, max: 999999999, required: true, value: Math.floor(Math.random() * 1e6) });
  const form = h('form', { onsubmit: begin, onchange: () => open() },
    h('h2', {}, ctx.t('game.new')),
    h('div', { class: 'row' }, field(ctx.t('level'), { name: 'level', value: '4211' }, Object.fromEntries(game.levels.map((name) => [name, name]))), seed),
    h('p', { class: 'note' }, ctx.t('level.about')), scenario, fixed,
    h('fieldset', {}, h('legend', {}, ctx.t('modules')), game.modules.map((name) => check('module', name, pairs([name], 'module')[name]))),
    h('fieldset', {}, h('legend', {}, ctx.t('variants')), game.variants.map((name) => check('variant', name, pairs([name], 'variant')[name]))),
    field(ctx.t('fleets'), { name: 'fleets', autocomplete: 'off', placeholder: '2 3' }),
    h('details', {}, h('summary', {}, ctx.t('readings')), h('p', { class: 'note' }, ctx.t('readings.about')), readings),
    h('details', {}, h('summary', {}, ctx.t('house')), h('p', { class: 'note' }, ctx.t('house.about')), house),
    h('p', {}, h('button', { class: 'primary' }, ctx.t('game.begin'))));
  fill(readings, game.readings.map((row) => needing(row, field(`${row.name} (${ctx.t('page', { page: row.page })}): ${row.rule[ctx.lang]}`, { name: row.name, 'data-usual': Object.keys(row.options.en)[0] },
    Object.fromEntries(Object.entries(row.options[ctx.lang]).map(([value, text]) => [value, `${value}: ${text}`]))))));
  fill(house, game.house.map((row) => needing(row, field(`${ctx.t(`house.${row.name}`)} (${ctx.t('page', { page: row.page })}; ${row.default})${row.reference ? '*' : ''}`,
    { name: row.name, 'data-usual': row.default, type: 'number', min: row.least, max: row.most, value: row.default, required: true }))));

  const record = field(ctx.t('record'), { rows: 8, spellcheck: 'false' });
  const area = record.querySelector('textarea');
  const file = field(ctx.t('record.file'), { type: 'file', accept: '.txt,.record,text/plain', onchange: async (event) => {
    const [found] = event.target.files;
    if (found) area.value = await found.text();
  } });
  open();
  return {
    root: h('div', {}, form, h('h2', {}, ctx.t('record')), h('p', { class: 'note' }, ctx.t('record.about')), record, file,
      h('p', { class: 'row' }, button(ctx.t('record.open'), () => table.open(area.value)), button(ctx.t('record.keep'), () => download('game.txt', table.record())),
        button(ctx.t('link.copy'), () => navigator.clipboard.writeText(location.href).then(() => ctx.announce(ctx.t('link.copied')), ctx.say)))),
    show: () => { area.value = table.record(); },
    clear: () => { area.value = table.record(); },
  };
}
