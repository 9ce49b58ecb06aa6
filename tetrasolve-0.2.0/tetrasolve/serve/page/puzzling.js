// Puzzles as every game has them: a list to choose from or one of them, what was solved, stars.
import { fill, h } from './dom.js';
import { link } from './parts.js';

const SOLVED = 'solved'; // in the storage of this browser: the ids of puzzles that were solved
const MOST = 5; // stars

export const solved = () => JSON.parse(localStorage.getItem(SOLVED) || '[]');
export const keep = (id) => localStorage.setItem(SOLVED, JSON.stringify([...new Set([...solved(), id])]));

/** Shows what `one` fills where the address has a puzzle, otherwise what `list` does, which depends on some names of the state. */
export async function browsing(root, ctx, names, list, one) {
  root.classList.add('two');
  let number = 0;
  async function show(hasMoved) {
    const mine = ++number;
    const page = h('div', { class: 'whole' });
    await (ctx.state.puzzle ? one : list)(page, ctx);
    if (mine !== number) return;
    fill(root, page);
    if (hasMoved) root.querySelector('h1').focus();
  }
  const end = ctx.onState((state, changes) => {
    if (['puzzle', ...names].some((name) => name in changes)) show('puzzle' in changes).catch(ctx.say);
  });
  await show(false);
  return end;
}

export const stars = (ctx, grade) => grade && h('span', { class: 'stars', role: 'img', 'aria-label': ctx.t('puzzle.stars', { n: grade }) }, '★'.repeat(grade) + '☆'.repeat(MOST - grade));

export const card = (ctx, row, isSolved) => h('li', {}, link(ctx, { puzzle: row.puzzle }, h('span', { class: 'meta' },
  h('b', {}, ctx.t('puzzle.number', { n: row.number })), ' ', stars(ctx, row.grade), ' ', isSolved && h('span', { class: 'good' }, ctx.t('puzzle.solved')),
  h('span', { class: 'soft' }, row.position.split(' ')[0])), h('span', {}, row.question[ctx.lang])));
