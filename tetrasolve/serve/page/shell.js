// The frame of the page: strings, address, views. A game adds its part in game/game.js.
//
// A game module exports (see decision 54)
//   views                 an object: name -> a function that imports its module, in the order of the navigation
//   start(ctx)            async; adds what its views share to ctx, such as ctx.board
// A view is a module with mount(root, ctx), which may be async and returns a function that unmounts it. ctx has
//   state                 the state in the address: view, lang, position, record, and what views add; all text
//   set(changes, how)     changes it; how.push makes an entry of the history, how.silent does not call listeners
//   onState(listener)     calls listener(state, changes) when it changes (also by Back); returns a function that ends that
//   link(changes)         the address with these changes
//   ask(kind, body, {onPartial, onWait, signal, isJob})   a request of the protocol; throws Problem
//   ask.keep(kind, body, result)   an answer that is known from elsewhere
//   t(key, params), lang  texts: {name} is replaced; with n, key.one or key.other is taken where there is one
//   say(problem)          shows what went wrong: an error, or a text
//   announce(text)        reads it out (a polite live region)
import { asker } from './api.js';
import { button, field, fill, h } from './dom.js';
import { link } from './parts.js';
import { address, read } from './state.js';

const LANGUAGES = { en: 'English', es: 'Español' };
const FOCUSABLE = 'button, a, input, select, textarea, summary, [tabindex="0"]';
const listeners = new Set();
let path = []; // the element that had the focus last, and all around it
const said = h('div', { class: 'sr', role: 'status', 'aria-live': 'polite' });
const trouble = h('div', { class: 'trouble', role: 'alert', hidden: true });
const main = document.querySelector('main');
let texts = {};
let plural;
let game = { views: {}, start: async () => {} };
let unmount;
let mounting = 0;

const ctx = {
  state: read(),
  lang: document.documentElement.lang,
  set(changes, { push = false, silent = false } = {}) {
    const before = ctx.state;
    ctx.state = { ...before, ...changes };
    history[push ? 'pushState' : 'replaceState'](null, '', address(ctx.state));
    if (!silent) changed(before, changes);
  },
  onState(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  link: (changes) => address({ ...ctx.state, ...changes }),
  ask: asker(wantKey, () => ctx.lang),
  t(key, params = {}) {
    const text = ('n' in params && texts[`${key}.${plural.select(params.n)}`]) || texts[key] || key;
    return text.replace(/\{(\w+)\}/g, (all, name) => (name in params ? params[name] : all));
  },
  has: (key) => key in texts,
  say(problem) {
    if (problem.name === 'AbortError') return;
    fill(trouble, h('p', {}, problem.message || problem), button(ctx.t('close'), () => path[0]?.focus()));
    trouble.hidden = false;
    if (problem.message && !('status' in problem)) console.error(problem); // a mistake of ours
  },
  announce(text) {
    said.textContent = '';
    requestAnimationFrame(() => { said.textContent = text; });
  },
};

/** Asks for the key of a service that requires one. */
function wantKey(isWrong) {
  return new Promise((give) => {
    const box = h('dialog', { class: 'key', 'aria-labelledby': 'key-title', onclose: () => { give(box.returnValue); box.remove(); } },
      h('form', { method: 'dialog', onsubmit: () => { box.returnValue = box.querySelector('input').value.trim(); } },
        h('h2', { id: 'key-title' }, ctx.t('key.title')), h('p', {}, ctx.t(isWrong ? 'key.wrong' : 'key.about')),
        field(ctx.t('key.label'), { type: 'password', autocomplete: 'off', required: true }),
        h('p', { class: 'row' }, h('button', { class: 'primary' }, ctx.t('ok')), button(ctx.t('cancel'), () => box.close('')))));
    document.body.append(box);
    box.showModal();
  });
}

const nameOf = (element) => (element.closest('label') || element).textContent;

/** Where the element with the focus is gone or disabled: the focus goes to the one that took its place, or to the next around it. */
function keepFocus() {
  const [last] = path;
  const active = document.activeElement;
  if (!last || (last.isConnected && !last.disabled) || (active !== document.body && active !== last)) return;
  for (const around of path) {
    const free = [...around.isConnected ? around.querySelectorAll(FOCUSABLE) : []].filter((element) => !element.disabled && element.getClientRects().length);
    const next = free.find((element) => element.tagName === last.tagName && nameOf(element) === path.name) || free[0];
    if (next) return next.focus({ preventScroll: true });
  }
  main.focus({ preventScroll: true });
}

const view = () => (ctx.state.view in game.views ? ctx.state.view : Object.keys(game.views)[0]);

async function changed(before, changes) {
  if ((before.lang || ctx.lang) !== (ctx.state.lang || ctx.lang)) {
    await speak(ctx.state.lang);
    return open(false);
  }
  if (before.view !== ctx.state.view) return open(true);
  for (const listener of [...listeners]) listener(ctx.state, changes);
}

/** Loads the texts of a language. */
async function speak(lang) {
  ctx.lang = lang in LANGUAGES ? lang : ctx.lang;
  texts = await (await fetch(`page/strings.${ctx.lang}.json`)).json();
  plural = new Intl.PluralRules(ctx.lang);
  document.documentElement.lang = ctx.lang;
  document.title = ctx.t('title');
}

/** Shows the view of the state. */
async function open(hasMoved) {
  const mine = ++mounting;
  const name = view();
  unmount?.();
  unmount = undefined;
  listeners.clear();
  trouble.hidden = true;
  head(name);
  main.setAttribute('aria-busy', 'true');
  const root = h('div', { class: `view ${name || ''}` });
  fill(main, root);
  if (name) {
    document.title = `${ctx.t(`view.${name}`)} · ${ctx.t('title')}`;
    try {
      const module = await game.views[name]();
      const end = mine === mounting && (await module.mount(root, ctx));
      if (mine === mounting) unmount = end;
      else end?.();
    } catch (error) {
      ctx.say(error);
    }
  }
  if (mine !== mounting) return;
  main.removeAttribute('aria-busy');
  if (hasMoved) main.focus({ preventScroll: true });
}

/** The line above every view: where one is, where one can go, in which language. */
function head(current) {
  const tabs = Object.keys(game.views).map((name) => {
    const tab = link(ctx, { view: name }, ctx.t(`view.${name}`));
    if (name === current) tab.setAttribute('aria-current', 'page');
    return h('li', {}, tab);
  });
  fill(document.querySelector('header'),
    h('p', { class: 'brand' }, ctx.t('title')), h('nav', { 'aria-label': ctx.t('nav') }, h('ul', {}, tabs)),
    field(ctx.t('language'), { value: ctx.lang, onchange: (event) => ctx.set({ lang: event.target.value }) }, LANGUAGES));
  document.querySelector('.skip').textContent = ctx.t('skip');
}

async function start() {
  document.body.prepend(h('a', { class: 'skip', href: '#main', onclick: (event) => { event.preventDefault(); main.focus(); } }),
    document.querySelector('header'), trouble, main, said);
  for (const answer of JSON.parse(document.querySelector('#known').textContent)) ctx.ask.keep(...answer);
  const loading = 'game' in document.body.dataset ? import('./game/game.js') : game;
  await speak(ctx.state.lang || ctx.lang);
  game = await loading;
  await game.start(ctx);
  // What went wrong has been read when something else is done
  for (const sort of ['click', 'keydown']) addEventListener(sort, (event) => { if (sort === 'click' || event.key === 'Enter') trouble.hidden = true; }, true);
  addEventListener('focusin', ({ target }) => {
    if (trouble.contains(target)) return;
    path = [];
    for (let element = target; element !== document.body; element = element.parentElement) path.push(element);
    path.name = nameOf(target);
  });
  new MutationObserver(keepFocus).observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  addEventListener('popstate', () => {
    const before = ctx.state;
    ctx.state = read();
    changed(before, ctx.state);
  });
  await open(false);
}

start().catch(ctx.say);
