// The game's part of the page: its views, and what they share on ctx:
//   game          game.json: provinces, links, zones, emperors, levels, modules, variants, scenarios, readings, budgets, examples
//   board(...)    a board of the shell, with onProvince in place of onPlace
//   name(id)      a province, an Emperor or a figure in words
import { createBoard } from '../board.js';

export const views = {
  play: () => import('./play.js'),
  puzzles: () => import('./puzzles.js'),
  review: () => import('./review.js'),
  editor: () => import('./editor.js'),
  map: () => import('./map.js'),
  findings: () => import('./findings.js'),
};

export async function start(ctx) {
  const [game, map] = await Promise.all(
    ['game.json', 'map.svg'].map((name) => fetch(`page/game/${name}`).then((found) => found.text())),
  );
  ctx.game = JSON.parse(game);
  const { provinces: places, links } = ctx.game;
  const draw = async (position) => (await ctx.ask('picture', { position, layer: 'pieces' })).svg;
  ctx.board = ({ onProvince: onPlace, ...options } = {}) => createBoard(ctx, { kind: 'province', places, links, map, draw, onPlace, ...options });
  const names = Object.fromEntries(ctx.game.emperors.map((row) => [row.id, row.name]));
  ctx.name = (id) => ctx.game.provinces[id]?.name || names[id] || (ctx.has(`figure.${id}`) ? ctx.t(`figure.${id}`) : id);
}
