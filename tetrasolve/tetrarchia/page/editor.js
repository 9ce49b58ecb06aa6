// Position editor: a tool puts pieces on provinces; all else are fields. The service says why a position cannot occur.
import { button, field, fill, h } from '../dom.js';
import { link, options, reason } from '../parts.js';
import { contents, disc as named, place } from './words.js';

const DISCS = ['revolt', 'unrest'];
const FIGURES = ['dux', 'vicarius'];
const REBELS = ['dux', 'goths'];
/** What a module or variant adds to a position, as long as nothing is said of it. */
const ADDED = {
  dux: () => ({ dux: null }),
  vicarius: () => ({ vicarius: null }),
  pirates: () => ({ pirates: null }),
  goths: () => ({ goths: 'reserve' }),
  imperium: (ctx) => ({ removed: each(ctx) }),
  'roma-aeterna': (ctx) => ({ glory: each(ctx) }),
  barbaria: () => ({ barbarian_discs: { gray: 4, black: 1 } }),
};
const each = (ctx) => Object.fromEntries(ctx.game.emperors.map((row) => [row.id, 0]));

export async function mount(root, ctx) {
  root.classList.add('two');
  const { t, game } = ctx;
  const emperors = game.emperors.map((row) => row.id);
  let data; // the JSON form of the position
  let tool = 'army';
  let asked = 0;
  const board = ctx.board({ label, onPlace: (id) => { put(id); ctx.announce(label(id)); } });
  const line = field(t('editor.line'), { rows: 2, spellcheck: 'false', autocomplete: 'off', onchange: (event) => load(event.target.value) });
  const text = line.lastChild;
  const verdict = h('div', { role: 'status', class: 'verdict' });
  const tools = h('fieldset', { class: 'tools' });
  const fields = h('div', { class: 'fields' });

  /** What lies on a province, in words. */
  function label(id) {
    return `${place(ctx, id)}: ${(data && contents(ctx, data, id).join(', ')) || t('editor.nothing')}`;
  }

  function toggle(list, id) {
    return list.includes(id) ? list.filter((other) => other !== id) : [...list, id];
  }
  function put(id) {
    const [kind, who] = tool.split(' ');
    if (kind === 'emperor') data.emperors[who] = data.emperors[who] === id ? null : id;
    else if (kind === 'army') {
      data.armies = toggle(data.armies, id);
      if (data.rebels && !data.armies.includes(id)) delete data.rebels[id];
    } else if (kind === 'rebels') {
      data.rebels = { ...data.rebels };
      if (id in data.rebels) delete data.rebels[id];
      else data.rebels[id] = { figure: REBELS[0], fleet: 1 };
      data.armies = data.armies.filter((other) => other !== id).concat(id in data.rebels ? id : []);
      if (id in data.rebels) data.discs[id] = 'revolt';
    } else if (kind === 'erase') {
      delete data.discs[id];
      delete data.rebels?.[id];
      data.armies = data.armies.filter((other) => other !== id);
      for (const name of emperors) if (data.emperors[name] === id) data.emperors[name] = null;
      for (const figure of FIGURES) if (data[figure] === id) data[figure] = null;
      if (data.goths === id) data.goths = 'reserve';
    } else if (kind === 'figure') data[who] = data[who] === id ? (who === 'goths' ? 'reserve' : null) : id;
    else if (data.discs[id] === (who || kind)) delete data.discs[id];
    else data.discs[id] = who || kind;
    if (kind === 'figure' && who === 'goths') data.armies = data.armies.filter((other) => other !== id).concat(data.goths === id ? id : []);
    if (data.rebels && !Object.keys(data.rebels).length) delete data.rebels;
    return check();
  }

  const changed = (change) => (event) => { change(event.target); check(); };
  const number = (name, value, set) => field(name, { type: 'number', min: 0, max: 99, value: String(value), onchange: changed((input) => set(Number(input.value))) });
  const box = (name, checked, set) => field(name, { type: 'checkbox', checked, onchange: changed((input) => set(input.checked)) });
  const pick = (name, value, choices, set) => field(name, { value: value ?? '', onchange: changed((input) => set(input.value)) }, choices);
  const group = (name, ...kids) => h('fieldset', {}, h('legend', {}, name), ...kids);

  function drawTools() {
    const found = [...emperors.map((who) => [`emperor ${who}`, ctx.name(who)]), ['army', t('army')], ...DISCS.map((disc) => [disc, named(ctx, disc)]),
      ...emperors.map((who) => [`garrison ${who}`, named(ctx, who)]),
      ...[...FIGURES, 'goths'].filter((figure) => figure in data).map((figure) => [`figure ${figure}`, ctx.name(figure)]), ['rebels', t('editor.rebels')], ['erase', t('editor.erase')]];
    if (!found.some(([name]) => name === tool)) tool = 'army';
    fill(tools, h('legend', {}, t('editor.tools')), h('p', { class: 'soft' }, t('editor.how')),
      found.map(([name, text]) => h('label', { class: 'tool' }, h('input', { type: 'radio', name: 'tool', value: name, checked: name === tool, onchange: () => { tool = name; } }), h('span', {}, text))));
  }

  function drawFields() {
    const rules = data.ruleset;
    const level = [rules.garrisons, rules.fleets, rules.revolts, rules.armies].join('');
    const levels = [...new Set([...game.levels, level])];
    const extend = (list, name) => (on) => {
      rules[list] = toggle(rules[list].filter((other) => other !== name), on ? name : undefined).filter(Boolean).sort();
      const more = ADDED[name]?.(ctx) || {};
      for (const key of Object.keys(more)) if (on) data[key] = more[key]; else delete data[key];
    };
    const counts = (key, names, label) => data[key] && group(t(`editor.${key}`), h('div', { class: 'row' }, names.map((name) => number(label(name), data[key][name] ?? 0, (n) => { data[key][name] = n; }))));
    fill(fields,
      group(t('editor.turn'),
        pick(t('editor.mover'), data.to_move, Object.fromEntries(emperors.map((who) => [who, ctx.name(who)])), (who) => { data.to_move = who; }),
        pick(t('editor.phase'), data.phase, { roman: t('phase.roman'), barbarian: t('phase.barbarian') }, (phase) => { data.phase = phase; }),
        number(t('editor.ip'), data.ip, (n) => { data.ip = n; }),
        (FIGURES.some((figure) => figure in data) || 'removed' in data) && pick(t('editor.passing'), data.passing, options(t('editor.nobody'), [...emperors, ...FIGURES.filter((figure) => figure in data)].map((who) => [who, ctx.name(who)])),
          (who) => { if (who) data.passing = who; else delete data.passing; }),
        'removed' in data && box(t('editor.power'), data.power === true, (on) => { if (on) data.power = true; else delete data.power; })),
      group(t('fleets.at'), game.zones.map((zone, index) => box(zone.name, data.fleets.includes(index + 1), () => { data.fleets = toggle(data.fleets, index + 1).sort(); }))),
      group(t('editor.rules'), pick(t('level'), level, Object.fromEntries(levels.map((name) => [name, name])), (name) => { [rules.garrisons, rules.fleets, rules.revolts, rules.armies] = [...name].map(Number); }),
        h('div', { class: 'checks' }, ['module', 'variant'].flatMap((list) => game[`${list}s`].map((name) => box(t(`${list}.${name}`), rules[`${list}s`].includes(name), (on) => { extend(`${list}s`, name)(on); drawTools(); }))))),
      FIGURES.filter((figure) => figure in data).map((figure) => box(t('editor.dead', { name: ctx.name(figure) }), data[figure] === 'dead', (on) => { data[figure] = on ? 'dead' : null; })),
      'pirates' in data && pick(ctx.name('pirates'), data.pirates, options(t('editor.beaten'), game.zones.map((zone, index) => [String(index + 1), zone.name])), (zone) => { data.pirates = Number(zone) || null; }),
      counts('removed', emperors, ctx.name), counts('glory', emperors, ctx.name), counts('barbarian_discs', ['gray', 'black'], (name) => t(`editor.${name}`)),
      Object.entries(data.rebels || {}).map(([id, rebel]) => group(`${t('editor.rebels')}: ${ctx.name(id)}`,
        pick(t('editor.figure'), rebel.figure, Object.fromEntries(REBELS.map((name) => [name, ctx.name(name)])), (name) => { rebel.figure = name; }),
        pick(t('editor.fleet'), String(rebel.fleet), Object.fromEntries(game.zones.map((zone, index) => [String(index + 1), zone.name])), (zone) => { rebel.fleet = Number(zone); }))));
  }

  /** Asks what the position is now, and shows it. */
  async function check(given = data) {
    const mine = ++asked;
    let seen;
    try {
      seen = await ctx.ask('view', { position: given });
    } catch (problem) {
      if (mine === asked) fill(verdict, h('p', { class: 'bad' }, `✗ ${problem.message}`));
      return false;
    }
    if (mine !== asked) return false;
    const found = seen.read;
    data = structuredClone(found.json); // the answer is kept
    text.value = found.position;
    ctx.set({ position: found.position, record: '' }, { silent: true });
    fill(verdict, found.legal ? h('p', { class: 'good' }, `✓ ${t('editor.legal')}`) : [h('p', { class: 'bad' }, `✗ ${t('editor.illegal', { n: found.reasons.length })}`),
      h('ul', {}, found.reasons.map((row) => h('li', {}, reason(ctx, row), row.rule && h('span', { class: 'soft' }, ` [${row.rule}]`))))],
    h('p', { class: 'row' }, found.legal && link(ctx, { view: 'play', position: found.position, record: '' }, t('editor.play')),
      button(t('editor.copy'), () => navigator.clipboard?.writeText(found.position).then(() => ctx.announce(t('editor.copied')), () => text.select()))));
    redraw();
    await board.show(found.position, seen).catch(ctx.say);
    board.overlay({ marked: [...new Set(found.reasons.map((row) => row.where).filter((id) => id in game.provinces))] });
    return true;
  }
  /** Draws the fields again, and leaves the focus where it was. */
  function redraw() {
    const all = () => [...root.querySelectorAll('.panel input, .panel select')];
    const index = all().indexOf(document.activeElement);
    drawFields();
    if (index >= 0) all()[index]?.focus();
  }
  const load = (position) => check(position.trim());

  const examples = pick(t('editor.start'), '', options(t('editor.choose'), [['empty', t('editor.empty')], ...Object.keys(game.examples).map((name) => [name, name])]), () => {});
  examples.lastChild.addEventListener('change', (event) => { if (event.target.value) load(game.examples[event.target.value] || game.empty); });
  fill(root, h('div', { class: 'split' },
    h('div', {}, board.root, line, verdict),
    h('div', { class: 'panel' }, h('h1', {}, t('view.editor')), h('p', { class: 'soft' }, t('editor.about')), examples, tools, fields)));
  if (!(ctx.state.position && await check(ctx.state.position))) {
    const wrong = ctx.state.position && verdict.textContent;
    await check(game.examples.fight || game.empty);
    if (wrong) ctx.say({ message: wrong, status: 422 });
  }
  drawTools();
  return ctx.onState((state, changes) => { if (changes.position && changes.position !== text.value) load(changes.position); });
}
