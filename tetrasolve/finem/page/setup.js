// A new game with its rules, and games as records: out of the page, and into it.
import { button, download, field, fill, h } from '../dom.js';

export function gamePanel(ctx, table) {
  const { game } = ctx;
  const picked = () => [...form.querySelectorAll('[name="option"]:checked')].map((input) => input.value);
  const readings = h('div', { class: 'readings' });

  /** The readings that make a difference with what is chosen. */
  function open() {
    const chosen = new Set([form.elements.level.value, ...picked()]);
    for (const box of readings.children) box.hidden = Boolean(box.dataset.needs) && !box.dataset.needs.split(' ').some((name) => chosen.has(name));
  }

  async function begin(event) {
    event.preventDefault();
    const changed = [...readings.querySelectorAll('select')].filter((input) => !input.closest('label').hidden && input.selectedIndex > 0).map((input) => `${input.name}=${input.value}`);
    if (form.elements.dealt.checked) changed.push('E-MAP=dealt');
    const level = [form.elements.level.value, ...picked()].join('+') + (changed.length ? `?${changed.join(',')}` : '');
    try {
      const found = await ctx.ask('new', { level, seed: Number(form.elements.seed.value) });
      if (found.position) table.open(found.record);
      else ctx.say(ctx.t('set-up.lost'));
    } catch (error) {
      ctx.say(error);
    }
  }

  const form = h('form', { onsubmit: begin, onchange: () => open() },
    h('h2', {}, ctx.t('game.new')),
    h('div', { class: 'row' }, field(ctx.t('level'), { name: 'level', value: 'standard' }, Object.fromEntries(game.levels.map((name) => [name, ctx.t(`level.${name}`)]))),
      field(ctx.t('seed'), { name: 'seed', type: 'number', min: 0, max: 999999999, required: true, value: Math.floor(Math.random() * 1e6) })),
    h('fieldset', {}, h('legend', {}, ctx.t('options')), game.options.map((name) => field(ctx.t(`option.${name}`), { type: 'checkbox', name: 'option', value: name })),
      field(ctx.t('option.dealt'), { type: 'checkbox', name: 'dealt' })),
    h('p', { class: 'note' }, ctx.t('options.about')),
    h('details', {}, h('summary', {}, ctx.t('readings')), h('p', { class: 'note' }, ctx.t('readings.about')), readings),
    h('p', {}, h('button', { class: 'primary' }, ctx.t('game.begin'))));
  fill(readings, game.readings.map((row) => {
    const box = field(`${row.name}: ${row.rule[ctx.lang]}`, { name: row.name },
      Object.fromEntries(Object.entries(row.options[ctx.lang]).map(([value, text]) => [value, `${value}: ${text}`])));
    box.dataset.needs = row.needs.join(' ');
    return box;
  }));

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
