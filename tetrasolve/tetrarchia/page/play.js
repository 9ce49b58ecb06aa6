// Playing: the board, what is legal, and what has happened.
import { fill, h } from '../dom.js';

export async function mount(root, ctx) {
  const board = ctx.board({});
  const list = h('ul', { class: 'actions' });
  fill(root, h('h1', { class: 'sr' }, ctx.t('view.play')), board.root, h('section', { class: 'panel' }, list));
  if (!ctx.state.position) {
    const found = await ctx.ask('new', { level: '4211', seed: Math.floor(Math.random() * 1e9) });
    ctx.set({ position: found.position, record: found.record }, { silent: true });
  }
  const show = async () => {
    const { position } = ctx.state;
    const [found] = await Promise.all([ctx.ask('actions', { position }), board.show(position)]);
    fill(list, found.actions.map((row) => h('li', {}, `${row.action} (${row.ip})`)));
  };
  const end = ctx.onState(() => show().catch(ctx.say));
  await show();
  return end;
}
