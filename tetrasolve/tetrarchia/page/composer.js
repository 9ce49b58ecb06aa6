// A turn put together action by action, on the board or by buttons: at an attack each outcome gets a branch of its own.
import { button, fill, h } from '../dom.js';
import { exact } from '../parts.js';
import { after, gathered } from './parts.js';
import { action as named } from './words.js';

/** `onPlan(text)` gets the plan in the notation of plans. `press(id)` is a click on a province. */
export function composer(ctx, board, position, onPlan) {
  const root = h('div', { class: 'composer' });
  const node = (at, up) => ({ at, up, steps: [] });
  const tree = node(position);
  let here = tree;
  let legal = [];

  const where = () => here.steps.at(-1)?.at ?? here.at;
  const text = (it) => [...it.steps.map((step) => step.action), it.branches
    && it.attack + ' {' + it.branches.map((row) => `${row.outcome} ${row.chance.exact}: ${text(row.then)}`).join(' | ') + '}']
    .filter(Boolean).join('; ') || 'end';

  const then = async (action) => (await after(ctx, where(), action)).position;

  async function take(row) {
    if (row.outcomes) {
      const ends = await Promise.all(row.outcomes.map((one) => then(one.action)));
      here.attack = row.action;
      here.branches = row.outcomes.map((one, number) => ({ ...one, then: node(ends[number], here) }));
      here = here.branches[0].then;
    } else if (row.action === 'end') here.steps.push({ action: 'end', at: null });
    else here.steps.push({ action: row.action, at: await then(row.action) });
    await draw();
    ctx.announce(`${named(ctx, row.action)}. ${ctx.t('compose.left', { n: legal.length })}`);
    root.querySelector('.legal button')?.focus();
  }

  async function back() {
    if (here.steps.length) here.steps.pop();
    else if (here.up) {
      here = here.up;
      delete here.attack;
      delete here.branches;
    }
    await draw();
    (root.querySelector('.undo:enabled') || root.querySelector('.legal button'))?.focus();
  }

  const run = (work) => () => work().catch(ctx.say);

  const shown = (it) => h('ol', {}, it.steps.map((step) => h('li', {}, named(ctx, step.action))),
    it.branches && h('li', {}, named(ctx, it.attack), h('ul', {}, it.branches.map((row) => h('li', {},
      button([ctx.t(`outcome.${row.outcome}`), ' ', exact(ctx, row.chance)], run(async () => { here = last(row.then); await draw(); }),
        { 'aria-pressed': String(row.then === here), class: 'branch' }),
      row.then.steps.length || row.then.branches ? shown(row.then) : [' ', named(ctx, 'end')])))));
  const last = (it) => (it.branches ? last(it.branches[0].then) : it);

  async function draw() {
    const at = where();
    onPlan(text(tree));
    const seen = at ? await ctx.ask('view', { position: at }) : {};
    if (at !== where()) return;
    if (at) await board.show(at, seen);
    legal = gathered(seen.actions?.actions || []);
    const hints = {};
    for (const row of legal) {
      const place = row.action.split(' ')[1];
      if (place in ctx.game.provinces && !(hints[place] < row.ip)) hints[place] = row.ip;
    }
    board.overlay({ hints });
    fill(root,
      h('h2', {}, ctx.t('compose.turn'), seen.read && ` · ${ctx.t('compose.ip', { ip: ctx.t('ip', { n: seen.read.json.ip }) })}`), tree.steps.length || tree.branches ? shown(tree) : h('p', { class: 'soft' }, ctx.t('compose.none')),
      h('p', { class: 'row' }, button(ctx.t('undo'), run(back), { class: 'undo', disabled: here === tree && !here.steps.length })),
      legal.length > 0 && h('h3', {}, ctx.t('compose.next')),
      h('ul', { class: 'legal' }, legal.map((row) => h('li', {},
        button([named(ctx, row.action), h('span', { class: 'ip' }, ctx.t('ip', { n: row.ip }))], run(() => take(row)))))));
  }

  async function press(id) {
    const found = legal.filter((row) => row.action.split(' ')[1] === id);
    if (found.length) await take(found[0]);
    else ctx.announce(ctx.t('compose.nothing', { name: ctx.name(id) }));
  }

  return { root, draw, press: (id) => press(id).catch(ctx.say) };
}
