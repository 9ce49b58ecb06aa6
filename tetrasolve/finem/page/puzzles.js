// Puzzles: one puzzle with a try on the map or typed, and help in steps.
import { button, field, fill, h } from '../dom.js';
import { link, once } from '../parts.js';
import { browsing, heading, keep, themesOf } from '../puzzling.js';
import { tracks } from './tracks.js';
import { action, contents, route } from './words.js';

const PLAN = 'plan';
const plain = ({ exact, float }) => (/^\d+$/.test(exact) ? exact : `${exact} ≈ ${float.toPrecision(3)}`);
export const mount = (root, ctx) => browsing(root, ctx, one);

async function one(root, ctx, filters) {
  const { t } = ctx;
  const row = await ctx.ask('puzzle', { puzzle: ctx.state.puzzle });
  const { json, most_decline: most } = await ctx.ask('read', { position: row.position });
  const side = tracks(ctx);
  side.show(json, most);
  const played = []; // of a plan, each with the position after it
  const answer = field(t(`answer.${row.form}`), { name: 'answer', autocomplete: 'off', spellcheck: 'false' });
  const input = answer.querySelector('input');
  const legal = h('ul', { class: 'legal' });
  const out = h('div', { class: 'result', role: 'status' });
  const help = h('ol', {});
  const themes = h('p', { class: 'themes' });
  const tell = await themesOf(ctx, themes, row, filters);
  const board = ctx.board({
    label: (id) => [ctx.map(row.position)[0][id].name, ...contents(ctx, json, id)].join(', '),
    onPlace: (id) => {
      const found = [...legal.querySelectorAll('button')].find((one) => one.title.split(' ').includes(id));
      if (found) found.click();
    },
  });

  const here = () => played.at(-1)?.position || row.position;

  /** What can be chosen now; a plan goes on, of another question one option is the answer. */
  async function offer() {
    const actions = row.form === 'chance' || played.at(-1)?.over ? [] : (await ctx.ask('actions', { position: here() })).actions;
    fill(legal, actions.map(({ action: text }) => h('li', {}, button(action(ctx, text), () => choose(text).catch(ctx.say), { title: text }))));
    await board.show(here());
    board.overlay({ steps: route(json, played.map((one) => one.action)) });
  }

  async function choose(text) {
    if (row.form !== PLAN) {
      input.value = text;
      return;
    }
    const found = await ctx.ask('apply', { position: here(), action: text });
    const phase = found.position && ctx.game.phases[found.position.split(' ')[6].split(':')[0]];
    played.push({ action: text, position: phase === 'actions' ? found.position : here(), over: phase !== 'actions' });
    input.value = played.map((one) => one.action).join('; ');
    await offer();
  }

  const check = once(ctx, async () => {
    if (!input.value.trim()) return void input.focus();
    fill(out, h('p', {}, t('working')));
    const found = await ctx.ask('puzzle_check', { puzzle: row.puzzle, answer: input.value });
    if (found.right) {
      keep(row.puzzle);
      tell();
    }
    fill(out, h('h2', { class: found.right ? 'good' : 'bad' }, t(found.right ? 'puzzle.right' : 'puzzle.wrong')),
      found.number && h('p', {}, t('puzzle.value', { number: plain(found.number), best: plain(found.best) })));
  });

  fill(root, h('p', {}, link(ctx, { puzzle: '' }, t('puzzle.all'))), heading(ctx, row), h('p', { class: 'question' }, row.question[ctx.lang]), themes,
    h('div', { class: 'split' }, h('div', { class: 'spread' }, board.root, side.root), h('div', { class: 'panel' },
      h('form', { onsubmit: (event) => { event.preventDefault(); } }, answer, h('p', { class: 'row' }, button(t('puzzle.check'), check, { class: 'primary' }),
        row.form === PLAN && button(t('undo'), () => { played.pop(); input.value = played.map((step) => step.action).join('; '); offer().catch(ctx.say); }),
        button(t('puzzle.help'), once(ctx, async () => {
          const { steps } = await ctx.ask('puzzle_help', { puzzle: row.puzzle, steps: help.children.length + 1, language: ctx.lang });
          fill(help, steps.map((text) => h('li', {}, text)));
        })))), out, help, legal, h('p', { class: 'soft' }, row.origin[ctx.lang]), h('p', {}, link(ctx, { view: 'play', position: row.position, puzzle: '', record: '' }, t('puzzle.play'))))));
  await offer();
}
