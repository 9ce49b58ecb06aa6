// Board editor: the rows of the map with their sources, the doubtful ones first; what a change breaks; the file with it.
import { button, download, field, fill, h } from '../dom.js';
import { exact, once, options, percent, row, wide } from '../parts.js';
import { places, words } from './parts.js';
import { linkRow, read, rewritten, write } from './rows.js';

const SECONDS = 3; // for each answer on each board
const KINDS = ['normal', 'broken', 'absent'];
const [MOST, FIRST] = [20, 6]; // doubts, facts that are listed first

export async function mount(root, ctx) {
  root.classList.add('two');
  const { t, game } = ctx;
  const [data, doubts] = await Promise.all([ctx.ask('board', {}), ctx.ask('board_doubts', {})]);
  const rowOf = Object.fromEntries(data.provinces.map((row) => [row.id, row]));
  const board = ctx.board({ onPlace: (id) => look(id) });
  const [changed, place, uncertain, compared] = Array.from({ length: 4 }, () => h('div'));
  const effect = h('div', { role: 'status' });
  let at;
  let changes = read(ctx.state.changes, game.provinces);
  let asked = 0;
  let working; // ends the derivation of facts

  const linksOf = (id) => data.links.filter((row) => row.between.includes(id));
  const sure = ({ source, confidence }) => h('span', { class: `sure${confidence < 1 ? ' doubt' : ''}` }, t(`source.${source}`), ' · ', percent(ctx, confidence));
  const inWords = (row, value) => {
    const [kind, where] = row.split(' ');
    const shown = kind === 'zones' ? (value === 'none' ? t('map.none') : value.split(' ').map((zone) => game.zones[zone - 1]?.name || zone).join(', '))
      : kind === 'link' ? t(`map.${value}`) : value === 'none' ? t('map.none') : ctx.name(value);
    return [`${t(`map.${kind}`)} ${where.split('-').map(ctx.name).join(' – ')}: `, h('b', {}, shown)];
  };
  const original = (row) => {
    const [kind, where] = row.split(' ');
    if (kind === 'link') {
      const link = data.links.find((found) => found.between.join('-') === where);
      return link ? (link.broken ? 'broken' : 'normal') : 'absent';
    }
    const found = rowOf[where];
    return kind === 'zones' ? found.zones.join(' ') || 'none' : String(found[kind] ?? 'none');
  };

  function set(row, value) {
    changes = new Map(changes);
    if (value === undefined || value === original(row)) changes.delete(row);
    else changes.set(row, value);
    ctx.set({ changes: write(changes) });
  }

  // -- the changes and what they do ------------------------------------------------------------------------------

  async function draw() {
    const mine = ++asked;
    working?.abort();
    drawPlace();
    mark();
    compared.replaceChildren();
    fill(changed, h('h2', {}, t('map.changes')), changes.size === 0 ? h('p', { class: 'soft' }, t('map.unchanged'))
      : [h('ul', { class: 'changes' }, [...changes].map(([row, value]) => h('li', {}, inWords(row, value), ' ', button(t('map.undo'), () => set(row), { 'aria-label': `${t('map.undo')}: ${row}` })))),
        h('p', { class: 'row' }, button(t('map.download'), () => download(`${data.id}.toml`, rewritten(data.text, changes), 'application/toml'), { class: 'primary' }),
          button(t('map.reset'), () => { changes = new Map(); ctx.set({ changes: '' }); }), button(t('map.compare'), once(ctx, compare)))]);
    if (!changes.size) return void effect.replaceChildren();
    fill(effect, h('p', { class: 'soft' }, t('map.asking')));
    const text = rewritten(data.text, changes);
    try {
      const [{ findings }, found] = await Promise.all([ctx.ask('board_check', { board: text }), ctx.ask('board_change', { board: text })]);
      if (mine !== asked) return;
      tell(findings, found);
      if (found.unknown.length && !findings.length) derive(mine, text, found).catch(ctx.say);
    } catch (problem) {
      if (mine === asked) fill(effect, h('p', { class: 'bad' }, problem.message));
    }
  }

  /** Derives the facts again that nothing is stored about, while one goes on. */
  async function derive(mine, text, found) {
    working = new AbortController();
    const { signal } = working;
    let last = found;
    const take = (part) => {
      last = { ...found, ...part, unaltered: found.unaltered + part.same };
      if (mine === asked) tell([], last);
    };
    try {
      take(await ctx.ask('board_facts', { board: text }, { onPartial: take, signal, isJob: true }));
    } finally {
      working = undefined;
      if (mine === asked) tell([], last);
    }
    ctx.announce(effect.querySelector('h3').textContent);
  }

  function tell(findings, found) {
    fill(effect, findings.length ? [h('p', { class: 'bad' }, `✗ ${t('map.impossible')}`), h('ul', {}, findings.map((row) => h('li', {}, `${row.row}: ${row.problem} (${t(`source.${row.source}`)}: ${row.rule})`)))]
      : h('p', { class: 'good' }, `✓ ${t('map.possible')}`),
    h('h3', {}, t('map.altered', { n: found.facts.length })), h('p', { class: 'soft' }, t('map.unaltered', { n: found.unaltered })),
    found.unknown.length > 0 && h('p', { class: 'row' }, `? ${t('map.unknown', { n: found.unknown.length })}`, working && button(t('stop'), () => working.abort())),
    facts(found.facts.slice(0, FIRST)), found.facts.length > FIRST && h('details', {}, h('summary', {}, t('map.all')), facts(found.facts.slice(FIRST))),
    found.unknown.length > 0 && h('details', {}, h('summary', {}, t('map.which')), h('p', {}, found.unknown.join(', '))));
  }

  const facts = (rows) => h('div', { class: 'facts' }, rows.map((row) => h('details', {}, h('summary', {}, row.sentence),
    h('p', { class: 'soft' }, row.id), h('ul', {}, row.first.map((line) => h('li', {}, words(ctx, line)))), row.values > row.first.length && h('p', {}, `… ${t('map.values', { n: row.values })}`))));

  /** Risk and hint for the position of the page, on both boards. */
  async function compare() {
    const position = ctx.state.position || game.examples.fight;
    fill(compared, h('p', { role: 'status', class: 'soft' }, t('map.asking')));
    const boards = [undefined, rewritten(data.text, changes)];
    const found = await Promise.all(boards.map((text) => Promise.all([
      ctx.ask('risk', { position, board: text, seconds: SECONDS }), ctx.ask('hint', { position, board: text, budget: 'expectimax', top: 1, seconds: SECONDS }).catch(() => undefined)])));
    const cells = (name, value) => row(name, ...found.map((pair) => value(...pair)));
    fill(compared, h('h3', {}, t('map.compared')), h('p', { class: 'line' }, position), wide(t('map.compared'), h('table', {},
      h('thead', {}, h('tr', {}, h('td'), ['map.before', 'map.after'].map((key) => h('th', { scope: 'col' }, t(key))))),
      h('tbody', {}, cells(t('figure.p_uprising'), (risk) => exact(ctx, risk.p_uprising)), cells(t('figure.p_lost'), (risk) => exact(ctx, risk.p_lost)),
        cells(t('map.hint'), (risk, hint) => (hint ? words(ctx, hint.plans[0].plan) : '–')), cells(t('win'), (risk, hint) => (hint ? percent(ctx, hint.plans[0].win.value) : '–'))))));
  }

  // -- one province -----------------------------------------------------------------------------------------------

  function look(id) {
    at = id;
    drawPlace();
    mark();
    ctx.announce(ctx.name(id));
  }
  function mark() {
    const marked = [...changes.keys()].flatMap((row) => row.split(' ')[1].split('-'));
    const steps = [...changes].filter(([row]) => row.startsWith('link')).map(([row, value]) => [...row.split(' ')[1].split('-'), value === 'absent' ? '✗' : value === 'broken' ? '≠' : '=']);
    board.overlay({ chosen: at ? [at] : [], marked, steps });
  }
  function drawPlace() {
    if (!at) return;
    const row = rowOf[at];
    const value = (name) => changes.get(name) ?? original(name);
    const control = (kind, choices) => field(t(`map.${kind}`), { value: value(`${kind} ${at}`), onchange: (event) => set(`${kind} ${at}`, event.target.value) }, choices);
    const claim = (kind, ...kids) => h('div', { class: 'claim' }, ...kids, row.evidence[kind] && sure(row.evidence[kind]));
    const near = new Set([...linksOf(at).flatMap((link) => link.between), ...[...changes.keys()].filter((name) => name.startsWith('link') && name.includes(at)).flatMap((name) => name.split(' ')[1].split('-'))]);
    near.delete(at);
    const others = [...near].sort((a, b) => ctx.name(a).localeCompare(ctx.name(b)));
    const zones = value(`zones ${at}`).split(' ');
    const kind = (other) => {
      const name = linkRow(data.links.map((link) => link.between), at, other);
      const link = linksOf(at).find((found) => found.between.includes(other));
      return h('li', { 'data-with': other }, field(ctx.name(other), { value: value(name), onchange: (event) => set(name, event.target.value) }, Object.fromEntries(KINDS.map((one) => [one, t(`map.${one}`)]))),
        link && !changes.has(name) ? h('span', {}, t('map.exists'), ' ', sure(link.evidence.exists), ' · ', t('map.kind'), ' ', sure(link.evidence.kind)) : sure({ source: 'board', confidence: 1 }),
        link?.why && h('span', { class: 'why' }, link.why));
    };
    const add = field(t('map.add'), { value: '', onchange: (event) => event.target.value && set(linkRow(data.links.map((link) => link.between), at, event.target.value), 'normal') },
      options(t('map.choose'), places(ctx).filter(([id]) => id !== at && !near.has(id))));
    fill(place, h('h2', { tabindex: -1 }, row.name), h('p', { class: 'soft' }, t('map.name'), ' ', sure(row.evidence.name || { source: 'inferred', confidence: 0 })),
      claim('zones', h('fieldset', {}, h('legend', {}, t('map.zones')), h('div', { class: 'checks' }, game.zones.map((zone, index) => {
        const number = String(index + 1);
        return field(zone.name, { type: 'checkbox', checked: zones.includes(number), onchange: (event) => set(`zones ${at}`, [...zones.filter((one) => one !== number && one !== 'none'), ...(event.target.checked ? [number] : [])].sort().join(' ') || 'none') });
      })))),
      claim('arrow', control('arrow', { none: t('map.none'), ...Object.fromEntries([...new Set([...others, row.arrow])].filter(Boolean).map((id) => [id, ctx.name(id)])) })),
      row.number && claim('number', control('number', Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [n, n])))),
      row.why && h('p', { class: 'why' }, row.why),
      h('h3', {}, t('map.links')), h('ul', { class: 'links' }, others.map(kind)), add);
  }

  // -- doubts -----------------------------------------------------------------------------------------------------

  function drawDoubts(most) {
    const places_ = (row) => row.split(' ').at(-1).split('-').filter((id) => id in game.provinces);
    fill(uncertain, h('h2', {}, t('map.doubts')), h('p', { class: 'soft' }, t('map.why', { n: doubts.uncertain })),
      h('ol', { class: 'doubts' }, doubts.rows.slice(0, most).map((row) => h('li', {},
        button(question(row), () => doubt(places_(row.row))),
        h('span', { class: 'soft' }, t('map.weight', { share: percent(ctx, row.confidence), n: row.facts.length }))))),
      most < doubts.rows.length && button(t('map.all'), () => drawDoubts(doubts.rows.length)));
  }
  /** Opens what a row in doubt is about: its link, or else the province. */
  function doubt(ids) {
    look(ids[0]);
    board.overlay({ chosen: [at], marked: ids });
    (place.querySelector(`[data-with="${ids[1]}"] select`) || place.querySelector('h2')).focus();
  }
  /** What to look for on the printed map. */
  const question = ({ row }) => {
    const [, kind, where] = /^(.*) (\S+)$/.exec(row);
    const [a, b] = where.split('-').map(ctx.name);
    return t(`ask.${kind.replaceAll(' ', '-')}`, { a, b });
  };

  const search = field(t('province'), { value: '', onchange: (event) => event.target.value && look(event.target.value) }, options(t('map.choose'), places(ctx)));
  drawDoubts(MOST);
  fill(root, h('div', { class: 'split' }, h('div', {}, board.root, changed, effect, compared),
    h('div', { class: 'panel' }, h('h1', {}, t('view.map')), h('p', { class: 'soft' }, t('map.about')), h('p', { class: 'soft' }, data.edition), search, place, uncertain)));
  await draw();
  const end = ctx.onState((state, news) => {
    if (!('changes' in news)) return;
    changes = read(state.changes, game.provinces);
    draw().catch(ctx.say);
  });
  return () => {
    end();
    working?.abort();
  };
}
