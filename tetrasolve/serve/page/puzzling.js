// Puzzles as every game has them: a list to choose from, filters, stars, themes, and what was solved.
import { button, field, fill, h } from './dom.js';
import { link, once, options } from './parts.js';

const SOLVED = 'solved'; // in the storage of this browser: the ids of puzzles that were solved
const GRADES = [1, 2, 3, 4, 5];
const PAGE = 24; // puzzles that are listed at once
const FIELDS = { kind: 'kinds', theme: 'themes', grade: 'grades' }; // of the question; a filter of a game has its own name

const solved = () => JSON.parse(localStorage.getItem(SOLVED) || '[]');
export const keep = (id) => localStorage.setItem(SOLVED, JSON.stringify([...new Set([...solved(), id])]));

const stars = (ctx, grade) => grade && h('span', { class: 'stars', role: 'img', 'aria-label': ctx.t('puzzle.stars', { n: grade }) }, '★'.repeat(grade) + '☆'.repeat(GRADES.length - grade));

const card = (ctx, row, isSolved) => h('li', {}, link(ctx, { puzzle: row.puzzle }, h('span', { class: 'meta' },
  h('b', {}, ctx.t('puzzle.number', { n: row.number })), ' ', stars(ctx, row.grade), ' ', isSolved && h('span', { class: 'good' }, ctx.t('puzzle.solved')),
  h('span', { class: 'soft' }, row.position.split(' ')[0])), h('span', {}, row.question[ctx.lang])));

/** The title of a puzzle. */
export const heading = (ctx, row) => h('h1', { tabindex: -1 }, ctx.t('puzzle.number', { n: row.number }), ' ', stars(ctx, row.grade));

/** The filters there are, each with its values and labels, and those of the address as fields of the question; `others` are those of the game. */
async function filters(ctx, others) {
  const { t, state } = ctx;
  const all = await ctx.ask('puzzles', { most: 1 });
  const known = {
    kind: all.kinds.map((row) => [row.name, t(`kind.${row.name}`)]),
    theme: all.themes.map((row) => [row.name, row.title[ctx.lang]]),
    grade: GRADES.map((grade) => [String(grade), '★'.repeat(grade)]),
    ...others,
  };
  const wanted = {};
  for (const [name, found] of Object.entries(known)) {
    const value = state[name];
    if (found.some((row) => row[0] === value)) wanted[FIELDS[name] || name] = name in FIELDS ? [name === 'grade' ? +value : value] : value;
  }
  return { themes: all.themes, known, wanted };
}

/** Fills an element with the themes of a puzzle and a link to the next one that the filters leave where it was solved; returns a function that fills it in any case. */
export async function themesOf(ctx, root, row, others) {
  const { themes, wanted } = await filters(ctx, others);
  const { puzzles: [next] } = await ctx.ask('puzzles', { ...wanted, beyond: row.number, most: 1 });
  const tell = () => fill(root, row.themes.length > 0 && [h('b', {}, `${ctx.t('puzzle.themes')}: `), themes.filter(({ name }) => row.themes.includes(name)).map((theme) => h('span', { class: 'chip', title: theme.meaning[ctx.lang] }, theme.title[ctx.lang]))], ' ', next && link(ctx, { puzzle: next.puzzle, answer: '' }, ctx.t('puzzle.next')));
  if (solved().includes(row.puzzle)) tell();
  else if (row.themes.length) fill(root, h('span', { class: 'soft' }, ctx.t('puzzle.hidden')));
  return tell;
}

async function list(root, ctx, others) {
  const { t, state } = ctx;
  const { known, wanted } = await filters(ctx, others);
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
        { name, value: found.some((row) => row[0] === state[name]) ? state[name] : '', onchange: (event) => ctx.set({ [name]: event.target.value }) }, options(t('puzzle.any'), found)))),
      count, rows, more));
}

/** Shows what `one` fills where the address has a puzzle, otherwise the list; `more` are filters of the game, each with its values and labels. */
export async function browsing(root, ctx, one, more = {}) {
  root.classList.add('two');
  let number = 0;
  async function show(hasMoved) {
    const mine = ++number;
    const page = h('div', { class: 'whole' });
    await (ctx.state.puzzle ? one : list)(page, ctx, more);
    if (mine !== number) return;
    fill(root, page);
    if (hasMoved) root.querySelector('h1').focus();
  }
  const end = ctx.onState((state, changes) => {
    if (['puzzle', ...Object.keys({ ...FIELDS, ...more })].some((name) => name in changes)) show('puzzle' in changes).catch(ctx.say);
  });
  await show(false);
  return end;
}
