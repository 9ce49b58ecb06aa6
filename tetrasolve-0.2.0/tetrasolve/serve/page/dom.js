// Elements without HTML text: whatever comes from a user or a service becomes text or an attribute, never markup.

const SVG = 'http://www.w3.org/2000/svg';

function filled(found, props, kids) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) found.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked') found[name] = value;
    else found.setAttribute(name, value === true ? '' : value);
  }
  found.append(...kids.flat(9).filter((kid) => kid !== undefined && kid !== null && kid !== false));
  return found;
}

/** An HTML element; properties that begin with `on` are listeners, children are elements or text. */
export const h = (tag, props = {}, ...kids) => filled(document.createElement(tag), props, kids);

/** An SVG element. */
export const s = (tag, props = {}, ...kids) => filled(document.createElementNS(SVG, tag), props, kids);

/** The element of an SVG text of the service. */
export const parsed = (text) => document.importNode(new DOMParser().parseFromString(text, 'image/svg+xml').documentElement, true);

/** A button; `more` are further properties. */
export const button = (label, onclick, more = {}) => h('button', { type: 'button', onclick, ...more }, label);

/** A form field under its label. `options` (value to label, or pairs of them: an object has numbers first) makes it a choice. */
export function field(label, props, options) {
  const { value, ...rest } = props;
  const input = options
    ? h('select', rest, (Array.isArray(options) ? options : Object.entries(options)).map(([name, text]) => h('option', { value: name }, text)))
    : h(props.rows ? 'textarea' : 'input', rest);
  if (value !== undefined) input.value = value;
  return h('label', { class: props.type === 'checkbox' ? 'check' : 'field' }, h('span', {}, label), input);
}

/** Elements in place of all children of another. */
export const fill = (root, ...kids) => (root.replaceChildren(), filled(root, {}, kids));

/** Gives the page a file to keep. */
export function download(name, text, type = 'text/plain') {
  const href = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 1000);
}
