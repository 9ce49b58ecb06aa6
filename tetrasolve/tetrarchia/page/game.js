// The game's part of the page: its views, and what they share on ctx:
//   game          game.json: provinces, links, zones, emperors, levels, modules, variants, scenarios, readings, budgets, examples
//   board(...)    a board of the shell
//   name(id)      a province, an Emperor or a figure in words
import { createBoard } from '../board.js';

export const views = {
  play: () => import('./play.js'),
  puzzles: () => import('./puzzles.js'),
  review: () => import('./review.js'),
  editor: () => import('./editor.js'),
  map: () => import('./map.js'),
  findings: () => import('../findings.js'),
};

export async function start(ctx) {
  // The document has the map, with the pieces of the position in the address
  const map = document.querySelector('#ground svg');
  ctx.game = await (await fetch('page/game/game.json')).json();
  const empty = map.cloneNode(true);
  empty.querySelector('.pieces').replaceChildren();
  let first = map;
  const { provinces: places, links } = ctx.game;
  const draw = async (position, view) => (view || await ctx.ask('view', { position })).picture.svg;
  ctx.board = (options) => {
    const ground = first || empty.cloneNode(true);
    first = undefined;
    return createBoard(ctx, { kind: 'province', places, links, map: ground, draw, ...options });
  };
  ctx.name = (id) => ctx.game.provinces[id]?.name || (ctx.has(`figure.${id}`) ? ctx.t(`figure.${id}`) : id);
}
