// The state of the page is its address: what a link shares. Values are text; long ones are in the fragment, which is sent to nobody.

const LONG = ['record', 'board'];

export function read(url = location) {
  const found = {};
  for (const part of [url.search, url.hash.slice(1)]) {
    for (const [name, value] of new URLSearchParams(part)) found[name] = value;
  }
  return found;
}

export function address(state) {
  const query = new URLSearchParams();
  const rest = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) {
    if (value !== undefined && value !== null && value !== '') (LONG.includes(name) ? rest : query).set(name, value);
  }
  const [first, last] = [String(query), String(rest)];
  return (first ? `?${first}` : './') + (last ? `#${last}` : '');
}
