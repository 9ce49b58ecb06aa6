// The game's part of the page: its views, and what they share on ctx:
//   game          game.json: places of the map, printed cards, tribes, roles, levels, options, readings, phases, budgets, examples
//   board(...)    a board of the shell: one element for each card, in the form of the card
//   map(position) places and links of the map of a position, for board.place
import { createBoard } from '../board.js';
import { s } from '../dom.js';
import { card } from './words.js';

export const views = {
  play: () => import('./play.js'),
  puzzles: () => import('./puzzles.js'),
  review: () => import('./review.js'),
  editor: () => import('./editor.js'),
  findings: () => import('../findings.js'),
};

export async function start(ctx) {
  ctx.game = await (await fetch('page/game/game.json')).json();
  const { places, printed, size, card: [width, height] } = ctx.game;

  ctx.map = (position = '') => {
    const cards = position.split(' ')[0].split('@')[1]?.match(/../g) || printed;
    const found = Object.fromEntries(cards.map((id, at) => [id, { ...places[at], name: card(ctx, id) }]));
    const beside = (a, b) => Math.abs(found[a].row - found[b].row) + Math.abs(found[a].column - found[b].column) === 1;
    return [found, cards.flatMap((a, at) => cards.slice(at + 1).filter((b) => beside(a, b)).map((b) => [a, b]))];
  };

  ctx.board = (options = {}) => {
    let [cards, links] = ctx.map();
    const outline = (id, more, props) => {
      const far = (more - 13) / 2;
      const [x, y] = cards[id].at;
      return s('rect', { ...props, x: x - width / 2 - far, y: y - height / 2 - far, width: width + 2 * far, height: height + 2 * far, rx: 8 });
    };
    const draw = async (position) => (await ctx.ask('picture', { position, layer: 'cards' })).svg;
    const map = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.join(' ')}"></svg>`;
    const board = createBoard(ctx, { kind: 'region', places: cards, links, map, draw, outline, narrow: 0, badge: [16, 24], ...options });
    return {
      ...board,
      show: async (position) => {
        [cards, links] = ctx.map(position);
        board.place(cards, links);
        await board.show(position);
      },
    };
  };
}
