// Puzzles: a list to choose from; one puzzle, with a try on the board, help in steps, and what refutes a wrong answer.
import { button, field, fill, h } from '../dom.js';
import { composer } from './composer.js';
import { exact, link, once, options } from '../parts.js';
import { browsing, heading, keep, themesOf } from '../puzzling.js';
import { places, route, words } from './parts.js';
import { action } from './words.js';


export const mount = (root, ctx) => browsing(root, ctx, one, { module: ['module', 'variant'].flatMap((list) => ctx.game[`${list}s`].map((name) => [name, ctx.t(`${list}.${name}`)])) });

async function one(root, ctx, filters) {
  const { t, lang } = ctx;
  const puzzle = await ctx.ask('puzzle', { puzzle: ctx.state.puzzle }).catch((problem) => ctx.say(problem));
  const back = h('p', {}, link(ctx, { puzzle: '', answer: '' }, `← ${t('puzzle.back')}`));
  if (!puzzle) return fill(root, back, h('h1', { tabindex: -1 }, t('puzzle.unknown')));
  const isTurn = puzzle.form === 'turn';
  const board = ctx.board({ onPlace: (id) => chosen(id) });
  const themes = h('p', { class: 'themes' });
  const result = h('div', { role: 'status', class: 'result' });
  const steps = h('ol', { class: 'steps' });
  let answer;
  let plan;

  const tell = await themesOf(ctx, themes, puzzle, filters);

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

  const values = (rows) => h('ul', { class: 'values' }, rows.map((row) => h('li', {}, `${words(ctx, row.term)}: ${row.exact.includes('/') ? exact(ctx, row, /^(least|most) (?!p_|upr)/.test(row.term)) : row.exact}`)));

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
    h('section', { class: 'panel' }, heading(ctx, puzzle),
      h('p', { class: 'question' }, puzzle.question[lang]), h('p', { class: 'soft' }, level, ' · ', t(`kind.${puzzle.kind}`)), themes,
      plan && h('p', { class: 'soft' }, t('puzzle.try')),
      h('form', { onsubmit: (event) => { event.preventDefault(); check().catch(ctx.say); } }, entry, h('p', { class: 'row' }, h('button', { class: 'primary' }, t('puzzle.check')))),
      result, plan?.root, h('h2', {}, t('puzzle.helps')), steps, h('p', {}, helper),
      h('p', { class: 'row' }, link(ctx, { view: 'play', position: puzzle.position, record: '', puzzle: '', answer: '' }, t('puzzle.play'))))));
  await reset();
  const [[, goal] = []] = route(ctx, puzzle.position, ['secure']);
  board.reveal(puzzle.target in ctx.game.provinces ? puzzle.target : goal || 'roma');
  return undefined;
}
