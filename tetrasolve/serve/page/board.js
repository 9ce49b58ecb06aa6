// A board: a picture of the ground, and over it another one with the position and one element for each place that takes focus. A browser
// draws the ground once, and what lies over it with each change. A game makes its own with
//
//   createBoard(ctx, { kind, places, links, draw, map, outline, narrow, badge, label, onPlace, onFocus })
//     kind              what a place is called in data-KIND of its element
//     places            an object: id -> { name, at: [x, y] }; links: pairs of ids that arrow keys follow
//     draw(position, more)   resolves to the SVG text of what is drawn over the map for a position
//     map               the ground, as SVG text or as an element, which may hold what is drawn first (class "pieces"); its viewBox is the size of the board
//     outline(id, more, props)   the form of a place, so much larger (default: a circle)
//     narrow            which of the enlargements it begins with on a narrow screen; badge: where a text stands, from the middle
//     label(id)         a name for each place, read out when it is focused (default: its name)
//     onPlace(id)       Enter, Space or a click
//     onFocus(id)       it has got the focus, or the pointer is over it
//   board.root          the element; one tab stop, arrow keys follow links, letters find names, + and - zoom
//   board.show(position, more)  draws a position (text); resolves when it is there; draw gets `more`
//   board.overlay({...})  draws over it, in place of what it drew before; each part may be left out:
//     chosen: [id]                places with a solid ring
//     marked: [id]                with a dashed ring (what differs)
//     hints: { id: 'text' }       with a thin ring, and a text at it (what can be done there)
//     heat: { id: [share, 'text'] }   a ring that fills with a share from 0 to 1, and a text
//     steps: [[from, to, 'text']] arrows with numbers; from = to is a badge
//   board.label()       names all places again
//   board.place(places, links)  other places under the same ids
//   board.has(id)       whether it has this place
//   board.focus(id)     moves the focus
//   board.reveal(id)    scrolls to a place where the board is enlarged
import { button, h, parsed, s } from './dom.js';

const ZOOMS = [1, 1.5, 2, 3];
const NARROW = 700; // pixels, under which the map begins enlarged
const KEYS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const WIDEST = 0.35; // cosine of the widest angle between an arrow key and a link it follows
const RADIUS = 29;
const PAUSE = 800; // milliseconds after which typed letters begin a new name

export function createBoard(ctx, { kind, places, links, map, draw, outline, narrow = ZOOMS.length - 1, badge = [34, 4], label, onPlace = () => {}, onFocus = () => {} }) {
  const ground = map.nodeType ? map : parsed(map);
  const size = ground.getAttribute('viewBox');
  const hidden = { 'aria-hidden': 'true' };
  const form = outline || ((id, more, props) => s('circle', { ...props, cx: places[id].at[0], cy: places[id].at[1], r: RADIUS + more }));
  const [below, above] = [s('g', hidden), s('g', hidden)];
  const pieces = ground.querySelector('.pieces') || s('g');
  const hits = {};
  const names = {};
  let at = Object.keys(places)[0];
  let zoom = 0;
  let typed = '';
  let stroke = 0;
  let shown = '';
  let drawn = '';

  for (const id of Object.keys(places)) {
    names[id] = s('title');
    hits[id] = s('g', { class: 'hit', role: 'button', tabindex: id === at ? 0 : -1, [`data-${kind}`]: id },
      names[id], form(id, 9, { class: 'form' }));
  }
  const picture = s('svg', { viewBox: size, role: 'group', 'aria-label': ctx.t('board.label'), class: 'over' }, below, s('g', hidden, pieces), above, Object.values(hits));
  const sheet = h('div', { class: 'sheet' }, h('div', { ...hidden, class: 'map' }, ground), picture);
  const frame = h('div', { class: 'frame' }, sheet);
  const root = h('div', { class: 'board' }, frame, h('p', { class: 'zoom' },
    button('−', () => enlarge(-1), { 'aria-label': ctx.t('board.smaller') }),
    button('+', () => enlarge(1), { 'aria-label': ctx.t('board.larger') })));

  function enlarge(step, to = zoom + step) {
    const middle = (frame.scrollLeft + frame.clientWidth / 2) / frame.scrollWidth || 0.5;
    zoom = Math.max(0, Math.min(ZOOMS.length - 1, to));
    sheet.dataset.zoom = ZOOMS[zoom];
    frame.scrollLeft = middle * frame.scrollWidth - frame.clientWidth / 2;
  }

  function relabel() {
    for (const [id, hit] of Object.entries(hits)) {
      const text = label ? label(id) : places[id].name;
      names[id].textContent = text;
      hit.setAttribute('aria-label', text);
    }
  }

  function enter(id) {
    hits[at].setAttribute('tabindex', -1);
    hits[id].setAttribute('tabindex', 0);
    at = id;
  }

  function focus(id) {
    enter(id);
    hits[id].focus();
  }

  /** The place that an arrow key leads to: along the link that fits best, otherwise the nearest one on that side. */
  function next(way) {
    const linked = new Set(links.flatMap(([a, b]) => (a === at ? [b] : b === at ? [a] : [])));
    let best;
    for (const [id, row] of Object.entries(places)) {
      const [x, y] = [row.at[0] - places[at].at[0], row.at[1] - places[at].at[1]];
      const far = Math.hypot(x, y);
      const cosine = far && (x * way[0] + y * way[1]) / far;
      if (cosine < WIDEST) continue;
      const cost = (linked.has(id) ? 0 : 1e4) + (linked.has(id) ? 1 - cosine : far * (2 - cosine));
      if (!best || cost < best[0]) best = [cost, id];
    }
    return best?.[1];
  }

  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    const isLetter = /^\p{L}$/u.test(key);
    let goal;
    if (key in KEYS) goal = next(KEYS[key]) || at;
    else if (key === 'Enter' || (key === ' ' && !typed)) onPlace(at);
    else if (key === '+' || key === '-') enlarge(key === '+' ? 1 : -1);
    else if (isLetter) {
      typed = (event.timeStamp - stroke < PAUSE ? typed : '') + key.toLowerCase();
      goal = Object.keys(places).find((id) => places[id].name.toLowerCase().startsWith(typed)) || at;
      stroke = event.timeStamp;
    } else return;
    if (!isLetter) typed = '';
    event.preventDefault();
    if (goal) focus(goal);
  }

  const aimed = (event) => event.target.closest?.('.hit')?.dataset[kind];
  picture.addEventListener('keydown', press);
  picture.addEventListener('click', (event) => {
    const id = aimed(event);
    if (id) {
      enter(id);
      onPlace(id);
    }
  });
  for (const sort of ['focusin', 'pointerover']) {
    sheet.addEventListener(sort, (event) => { // an SVG element that listens to the focus would be a stop of the tab key
      const id = aimed(event);
      if (!id) return;
      if (sort === 'focusin') enter(id);
      onFocus(id);
    });
  }

  const ring = (id, name, more = 13) => form(id, more, { class: name, pathLength: 100 });
  const tag = (x, y, text, name) => {
    const width = 14 + 10 * String(text).length;
    return s('g', { class: name }, s('rect', { x: x - width / 2, y: y - 13, width, height: 26, rx: 13 }), s('text', { x, y: y + 6 }, text));
  };

  function arrow(from, to, text, number) {
    const [[x, y], [u, v]] = [places[from].at, places[to].at];
    const far = Math.hypot(u - x, v - y);
    if (!far) return tag(x - 26 + 22 * (number % 3), y - RADIUS - 14, text, 'badge');
    const [a, b] = [(u - x) / far, (v - y) / far];
    const side = 0.13 * far;
    const [mx, my] = [(x + u) / 2 + b * side, (y + v) / 2 - a * side];
    const [ex, ey] = [u - (u - mx) * (46 / Math.hypot(u - mx, v - my)), v - (v - my) * (46 / Math.hypot(u - mx, v - my))];
    const [p, q] = [(ex - mx) / Math.hypot(ex - mx, ey - my), (ey - my) / Math.hypot(ex - mx, ey - my)];
    const head = `M${ex + p * 14},${ey + q * 14}L${ex - q * 10},${ey + p * 10}L${ex + q * 10},${ey - p * 10}Z`;
    const curve = `M${x},${y}Q${mx},${my} ${ex},${ey}`;
    return s('g', { class: 'step' }, s('path', { class: 'rim', d: curve }), s('path', { d: curve }), s('path', { class: 'head', d: head }),
      tag((x + 2 * mx + u) / 4, (y + 2 * my + v) / 4, text, 'badge'));
  }

  function overlay({ chosen = [], marked = [], hints = {}, heat = {}, steps = [] }) {
    below.replaceChildren(
      ...Object.entries(heat).flatMap(([id, [share]]) => {
        const [rail, part] = [ring(id, 'rail', 7), ring(id, 'share', 7)];
        part.setAttribute('stroke-dasharray', `${100 * share} ${100 - 100 * share}`);
        part.setAttribute('stroke-dashoffset', 25); // from the top on
        part.dataset.level = Math.min(4, Math.floor(share * 5));
        return [rail, part];
      }),
      ...Object.keys(hints).map((id) => ring(id, 'hint', 6)),
      ...chosen.map((id) => ring(id, 'chosen', 9)),
      ...marked.map((id) => ring(id, 'marked')),
    );
    above.replaceChildren(
      ...steps.map(([from, to, text], number) => arrow(from, to, text, number)),
      ...Object.entries({ ...hints, ...Object.fromEntries(Object.entries(heat).map(([id, row]) => [id, row[1]])) })
        .filter(([, text]) => text)
        .map(([id, text]) => tag(places[id].at[0] + badge[0], places[id].at[1] + badge[1], text, id in heat ? 'badge percent' : 'badge cost')),
    );
    for (const [id, hit] of Object.entries(hits)) hit.classList.toggle('live', id in hints);
  }

  async function show(position, more) {
    shown = position;
    const svg = await draw(position, more);
    if (shown === position && drawn !== position) {
      pieces.replaceChildren(...parsed(svg).children);
      drawn = position;
    }
    relabel();
  }

  function reveal(id) {
    if (!id) return;
    const scale = sheet.clientWidth / size.split(' ')[2];
    const [x, y] = places[id].at;
    frame.scrollTo(x * scale - frame.clientWidth / 2, y * scale - frame.clientHeight / 2);
  }

  function place(others, ways) {
    [places, links] = [others, ways];
    for (const [id, hit] of Object.entries(hits)) hit.lastChild.replaceWith(form(id, 9, { class: 'form' }));
    relabel();
  }

  relabel();
  enlarge(0, innerWidth < NARROW ? narrow : 0);
  return { root, show, overlay, label: relabel, place, focus, reveal, has: (id) => id in hits };
}
