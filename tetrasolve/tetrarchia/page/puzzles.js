// Puzzles: a list to choose from; one puzzle, with a try on the board, help in steps, and what refutes a wrong answer.
import { button, field, fill, h } from '../dom.js';
import { composer } from './composer.js';
import { exact, link, once, options } from '../parts.js';
import { browsing, card, keep, solved, stars } from '../puzzling.js';
import { places, route, words } from './parts.js';
import { action } from './words.js';

const PAGE = 24; // puzzles that are listed at once
const GRADES = [1, 2, 3, 4, 5];
const CHOSEN = { kind: 'kinds', theme: 'themes', grade: 'grades', module: 'module' };

export const mount = (root, ctx) => browsing(root, ctx, Object.keys(CHOSEN), list, one);

// -- choosing ----------------------------------------------------------------------------------------------------------

async function list(root, ctx) {
  const { t, state } = ctx;
  const all = await ctx.ask('puzzles', { most: 1 });
  const known = {
    kind: all.kinds.map((row) => [row.name, t(`kind.${row.name}`)]),
    theme: all.themes.map((row) => [row.name, row.title[ctx.lang]]),
    grade: GRADES.map((grade) => [String(grade), '★'.repeat(grade)]),
    module: ['module', 'variant'].flatMap((list) => ctx.game[`${list}s`].map((name) => [name, t(`${list}.${name}`)])),
  };
  const wanted = {};
  for (const [name, key] of Object.entries(CHOSEN)) {
    if (!known[name].some(([value]) => value === state[name])) continue;
    wanted[key] = name === 'module' ? state[name] : [name === 'grade' ? Number(state[name]) : state[name]];
  }
  const today = await ctx.ask('puzzle_of_the_day', {});
  const done = new Set(solved());
  const rows = h('ol', { class: 'cards' });
  const more = h('p', {});
  const count = h('p', { role: 'status' });
  let after = 0;
  async function next() {
    const found = await ctx.ask('puzzles', { ...wanted, after, most: PAGE });
    rows.append(...found.puzzles.map((row) => card(ctx, row, done.has(row.puzzle))));
    after += found.puzzles.length;
    count.textContent = t('puzzle.count', { n: found.count, shown: after });
    fill(more, after < found.count && button(t('puzzle.more'), once(ctx, async () => {
      const begin = after;
      await next();
      rows.children[begin].firstChild.focus();
    })));
  }
  await next();
  fill(root, h('h1', { tabindex: -1 }, t('view.puzzles')), h('p', { class: 'lead' }, t('puzzle.about')),
    h('section', { class: 'today', 'aria-label': t('puzzle.today') }, h('h2', {}, t('puzzle.today')), h('ul', { class: 'cards' }, card(ctx, today, done.has(today.puzzle)))),
    h('section', { 'aria-label': t('puzzle.all') }, h('h2', {}, t('puzzle.all')),
      h('div', { class: 'filters' }, Object.entries(known).map(([name, found]) => field(t(`puzzle.${name}`),
        { name, value: state[name] in Object.fromEntries(found) ? state[name] : '', onchange: (event) => ctx.set({ [name]: event.target.value }) }, options(t('puzzle.any'), found)))),
      count, rows, more));
}

// -- solving -----------------------------------------------------------------------------------------------------------

async function one(root, ctx) {
  const { t, lang } = ctx;
  const puzzle = await ctx.ask('puzzle', { puzzle: ctx.state.puzzle }).catch((problem) => ctx.say(problem));
  const back = h('p', {}, link(ctx, { puzzle: '', answer: '' }, `← ${t('puzzle.back')}`));
  if (!puzzle) return fill(root, back, h('h1', { tabindex: -1 }, t('puzzle.unknown')));
  const known = Object.fromEntries((await ctx.ask('puzzles', { most: 1 })).themes.map((row) => [row.name, row]));
  const isTurn = puzzle.form === 'turn';
  const board = ctx.board({ onPlace: (id) => chosen(id) });
  const themes = h('p', { class: 'themes' });
  const result = h('div', { role: 'status', class: 'result' });
  const steps = h('ol', { class: 'steps' });
  let answer;
  let plan;

  const tell = () => fill(themes, puzzle.themes.length > 0 && [h('b', {}, `${t('puzzle.themes')}: `), puzzle.themes.map((name) => h('span', { class: 'chip', title: known[name].meaning[lang] }, known[name].title[lang]))]);
  if (solved().includes(puzzle.puzzle)) tell();
  else if (puzzle.themes.length) fill(themes, h('span', { class: 'soft' }, t('puzzle.hidden')));

  const input = (props, choices) => {
    const found = field(t(`answer.${puzzle.form}`), { value: ctx.state.answer || '', ...props, oninput: (event) => ctx.set({ answer: event.target.value }, { silent: true }) }, choices);
    answer = found.lastChild;
    return found;
  };
  const chosen = (id) => {
    if (plan) return plan.press(id);
    if (answer.tagName !== 'SELECT' || puzzle.form === 'mistake') return undefined;
    answer.value = id;
    ctx.set({ answer: id }, { silent: true });
    board.overlay({ chosen: [id] });
    return ctx.announce(ctx.name(id));
  };
  function widget() {
    if (isTurn) return input({ rows: 3, spellcheck: 'false', autocomplete: 'off' });
    if (puzzle.form === 'chance') return input({ placeholder: '5/36', autocomplete: 'off', inputmode: 'text' });
    if (puzzle.form !== 'mistake') return input({}, options(t('puzzle.choose'), places(ctx)));
    const played = puzzle.target.slice(puzzle.target.indexOf(': ') + 2).split('; ');
    return input({}, options(t('puzzle.choose'), played.map((step, number) => [String(number + 1), `${number + 1}: ${action(ctx, step)}`])));
  }

  const values = (rows) => h('ul', { class: 'values' }, rows.map((row) => h('li', {}, `${words(ctx, row.term)}: ${row.exact.includes('/') ? exact(ctx, row) : row.exact}`)));

  /** Shows where a wrong answer goes wrong: the dice that lead there, the step, what was in reach and what is left. */
  async function refute({ mistake, values: mine }) {
    const { turn } = await ctx.ask('turn', { position: puzzle.position, plan: answer.value });
    let it = turn;
    const path = [];
    for (const { outcome } of mistake.after) {
      path.push(...it.steps.map((step) => action(ctx, step.action)), `${action(ctx, it.attack)}: ${t(`outcome.${outcome}`)}`);
      it = it.branches.find((row) => row.shows === outcome).then;
    }
    const number = it.steps.findIndex((step) => step.action === mistake.step);
    const before = it.steps.slice(0, number < 0 ? it.steps.length : number);
    path.push(...before.map((step) => action(ctx, step.action)));
    await board.show(before.at(-1)?.position || (mistake.after.length ? it.start || it.position : puzzle.position));
    const place = mistake.step.split(/[ :]/)[1];
    board.overlay({ marked: place in ctx.game.provinces ? [place] : [] });
    fill(result, h('h2', { class: 'bad' }, `✗ ${t('puzzle.wrong')}`),
      h('p', {}, t('puzzle.yours')), values(mine),
      h('p', {}, t('puzzle.until')), h('ol', { class: 'path' }, path.map((step) => h('li', {}, step)), h('li', { class: 'bad' }, h('b', {}, action(ctx, mistake.step)), ` ← ${t('puzzle.here')}`)),
      h('div', { class: 'pair' }, h('div', {}, h('h3', {}, t('puzzle.reach')), values(mistake.within_reach)), h('div', {}, h('h3', {}, t('puzzle.left')), values(mistake.left))),
      button(t('puzzle.again'), () => { result.replaceChildren(); reset(); }));
  }
  const reset = () => {
    board.overlay({});
    return plan ? plan.draw().catch(ctx.say) : board.show(puzzle.position).catch(ctx.say);
  };

  async function check() {
    fill(result, h('p', { class: 'soft' }, t('puzzle.checking')));
    let found;
    try {
      found = await ctx.ask('puzzle_check', { puzzle: puzzle.puzzle, answer: answer.value.trim() });
    } catch (problem) {
      fill(result, h('p', { class: 'bad' }, problem.message));
      return;
    }
    const costs = found.right && found.mistake;
    if (!found.right && found.mistake) return void (await refute(found));
    const number = found.number && h('p', {}, t('puzzle.yours'), ' ', exact(ctx, found.number));
    if (!found.right) return void fill(result, h('h2', { class: 'bad' }, `✗ ${t('puzzle.wrong')}`), number);
    keep(puzzle.puzzle);
    tell();
    fill(result, h('h2', { class: 'good' }, `✓ ${t(costs ? 'puzzle.dear' : 'puzzle.right')}`), found.values ? values(found.values) : number,
      costs && h('p', {}, action(ctx, found.mistake.step)));
  }

  const helper = button(t('puzzle.help', { n: 1, of: puzzle.steps }), once(ctx, async () => {
    const found = await ctx.ask('puzzle_help', { puzzle: puzzle.puzzle, steps: steps.children.length + 1, language: lang });
    const step = found.steps.at(-1);
    if (step.name === 'themes' || step.name === 'answer') tell();
    steps.append(h('li', {}, words(ctx, step.text)));
    ctx.announce(words(ctx, step.text));
    helper.textContent = t('puzzle.help', { n: steps.children.length + 1, of: found.of });
    helper.hidden = steps.children.length >= found.of;
    if (helper.hidden) steps.lastChild.focus();
  }));

  const entry = widget();
  if (isTurn) plan = composer(ctx, board, puzzle.position, (text) => { if (text !== 'end' || !ctx.state.answer) { answer.value = text === 'end' ? '' : text; ctx.set({ answer: answer.value }, { silent: true }); } });
  const level = puzzle.position.split(' ')[0];
  fill(root, back, h('div', { class: 'split' },
    h('div', {}, board.root),
    h('section', { class: 'panel' }, h('h1', { tabindex: -1 }, t('puzzle.number', { n: puzzle.number }), ' ', stars(ctx, puzzle.grade)),
      h('p', { class: 'question' }, puzzle.question[lang]), h('p', { class: 'soft' }, level, ' · ', t(`kind.${puzzle.kind}`)), themes,
      plan && h('p', { class: 'soft' }, t('puzzle.try')), plan?.root,
      h('form', { onsubmit: (event) => { event.preventDefault(); check().catch(ctx.say); } }, entry, h('p', { class: 'row' }, h('button', { class: 'primary' }, t('puzzle.check')))),
      result, h('h2', {}, t('puzzle.helps')), steps, h('p', {}, helper),
      h('p', { class: 'row' }, link(ctx, { view: 'play', position: puzzle.position, record: '', puzzle: '', answer: '' }, t('puzzle.play'))))));
  await reset();
  const [[, goal] = []] = route(ctx, puzzle.position, ['secure']);
  board.reveal(puzzle.target in ctx.game.provinces ? puzzle.target : goal || 'roma');
  return undefined;
}
