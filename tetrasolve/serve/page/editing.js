// Position editor as every game has it: a tool puts pieces on places; all else are fields. The service says why a position cannot occur.
//
// A game calls editing(root, ctx, rules) with
//   look(position)        resolves to { read, seen }: the answer of `read`, and what its board requires
//   label(id, data)       what lies on a place, in words; data is the JSON form of the position, or nothing
//   tools(data)           pairs of a tool and its name; the first one is chosen
//   put(data, tool, id)   changes the data: the tool is used on a place
//   fields(data, kit)     elements: kit has number, box, pick, group, and tools(), which draws the tools again
//   empty                 a position to begin with, beside the examples; first: the one without any
import { button, field, fill, h } from './dom.js';
import { link, options, reason } from './parts.js';

/** A list with a thing in it that was not, or without it. */
export const toggle = (list, id) => (list.includes(id) ? list.filter((other) => other !== id) : [...list, id]);

export async function editing(root, ctx, rules) {
  root.classList.add('two');
  const { t, game } = ctx;
  let data; // the JSON form of the position
  let tool;
  let asked = 0;
  const board = ctx.board({ label, onPlace: (id) => { rules.put(data, tool, id); check(); ctx.announce(label(id)); } });
  const line = field(t('editor.line'), { rows: 2, spellcheck: 'false', autocomplete: 'off', onchange: (event) => load(event.target.value) });
  const text = line.lastChild;
  const verdict = h('div', { role: 'status', class: 'verdict' });
  const tools = h('fieldset', { class: 'tools' });
  const fields = h('div', { class: 'fields' });

  function label(id) {
    return rules.label(id, data);
  }

  const changed = (change) => (event) => { change(event.target); check(); };
  const kit = {
    number: (name, value, set) => field(name, { type: 'number', min: 0, max: 99, value: String(value), onchange: changed((input) => set(Number(input.value))) }),
    box: (name, checked, set) => field(name, { type: 'checkbox', checked, onchange: changed((input) => set(input.checked)) }),
    pick: (name, value, choices, set) => field(name, { value: value ?? '', onchange: changed((input) => set(input.value)) }, choices),
    group: (name, ...kids) => h('fieldset', {}, h('legend', {}, name), ...kids),
    tools: drawTools,
  };

  function drawTools() {
    const found = rules.tools(data);
    if (!found.some(([name]) => name === tool)) [[tool]] = found;
    fill(tools, h('legend', {}, t('editor.tools')), h('p', { class: 'soft' }, t('editor.how')),
      found.map(([name, words]) => h('label', { class: 'tool' }, h('input', { type: 'radio', name: 'tool', value: name, checked: name === tool, onchange: () => { tool = name; } }), h('span', {}, words))));
  }

  /** Asks what the position is now, and shows it. */
  async function check(given = data) {
    const mine = ++asked;
    let answer;
    try {
      answer = await rules.look(given);
    } catch (problem) {
      if (mine === asked) fill(verdict, h('p', { class: 'bad' }, `✗ ${problem.message}`));
      return false;
    }
    if (mine !== asked) return false;
    const found = answer.read;
    data = structuredClone(found.json); // the answer is kept
    text.value = found.position;
    ctx.set({ position: found.position, record: '' }, { silent: true });
    fill(verdict, found.legal ? h('p', { class: 'good' }, `✓ ${t('editor.legal')}`) : [h('p', { class: 'bad' }, `✗ ${t('editor.illegal', { n: found.reasons.length })}`),
      h('ul', {}, found.reasons.map((row) => h('li', {}, reason(ctx, row), row.rule && h('span', { class: 'soft' }, ` [${row.rule}]`))))],
    h('p', { class: 'row' }, found.legal && link(ctx, { view: 'play', position: found.position, record: '' }, t('editor.play')),
      button(t('editor.copy'), () => navigator.clipboard?.writeText(found.position).then(() => ctx.announce(t('editor.copied')), () => text.select()))));
    redraw();
    await board.show(found.position, answer.seen).catch(ctx.say);
    board.overlay({ marked: [...new Set(found.reasons.map((row) => row.where).filter(board.has))] });
    return true;
  }

  /** Draws the fields again, and leaves the focus where it was. */
  function redraw() {
    const name = (one) => one.closest('label')?.textContent;
    const was = fields.contains(document.activeElement) && name(document.activeElement);
    fill(fields, rules.fields(data, kit));
    if (was) [...fields.querySelectorAll('input, select')].find((one) => name(one) === was)?.focus();
  }
  const load = (position) => check(position.trim());

  const examples = field(t('editor.start'), { value: '', onchange: (event) => event.target.value && load(game.examples[event.target.value] || rules.empty) },
    options(t('editor.choose'), [['empty', t('editor.empty')], ...Object.keys(game.examples).map((name) => [name, name])]));
  fill(root, h('div', { class: 'split' },
    h('div', {}, board.root, line, verdict),
    h('div', { class: 'panel' }, h('h1', {}, t('view.editor')), h('p', { class: 'soft' }, t('editor.about')), examples, tools, fields)));
  if (!(ctx.state.position && await check(ctx.state.position))) {
    const wrong = ctx.state.position && verdict.textContent;
    await check(rules.first);
    if (wrong) ctx.say({ message: wrong, status: 422 });
  }
  drawTools();
  return ctx.onState((state, changes) => { if (changes.position && changes.position !== text.value) load(changes.position); });
}
