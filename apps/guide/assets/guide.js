// Search, and the navigation on small screens. Everything is text: nothing that is found is read as HTML.
(() => {
  const input = document.getElementById('search');
  const list = document.getElementById('found');
  const menu = document.getElementById('menu');
  const navigation = document.getElementById('navigation');
  const MOST = 12;
  const AROUND = 70;
  let index = null;

  /** The entries that are searched; null: they cannot be loaded now. The next call loads them again. */
  function load() {
    index ??= read().catch(() => (index = null));
    return index;
  }

  async function read() {
    const answer = await fetch('/guide/search.json');
    if (!answer.ok) throw new Error(`The entries are answered with ${answer.status}`);
    const entries = await answer.json();
    return entries.map(([address, page, heading, text]) => ({
      address,
      page,
      heading,
      text,
      title: `${page} ${heading}`.toLowerCase(),
      all: `${page} ${heading} ${text}`.toLowerCase(),
    }));
  }

  /** Every word must be there; one in a heading counts most. */
  function rank(entry, words) {
    let score = 0;
    for (const word of words) {
      if (!entry.all.includes(word)) return 0;
      score += 1 + (entry.title.includes(word) ? 8 : 0) + (entry.heading.toLowerCase() === word ? 8 : 0);
    }
    return score;
  }

  function excerpt(entry, words) {
    const at = entry.text.toLowerCase().indexOf(words[0]);
    if (at < 0) return entry.text.slice(0, 2 * AROUND);
    const from = Math.max(0, at - AROUND);
    return (from > 0 ? '… ' : '') + entry.text.slice(from, at + AROUND) + ' …';
  }

  function item(entry, words) {
    const line = document.createElement('li');
    const link = document.createElement('a');
    link.href = entry.address;
    const name = document.createElement('b');
    name.textContent = entry.heading && entry.heading !== entry.page ? `${entry.page}: ${entry.heading}` : entry.page;
    const text = document.createElement('small');
    text.textContent = excerpt(entry, words);
    link.append(name, text);
    line.append(link);
    return line;
  }

  function notice(text) {
    const line = document.createElement('li');
    line.className = 'notice';
    line.textContent = text;
    return line;
  }

  async function find() {
    const asked = input.value;
    const words = asked.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) {
      list.hidden = true;
      return;
    }
    const entries = await load();
    if (asked !== input.value) return;
    list.replaceChildren(...answers(entries, words));
    list.hidden = false;
  }

  function answers(entries, words) {
    if (entries === null) return [notice('The search cannot be loaded now. Type on to try again.')];
    const found = entries
      .map((entry) => ({ entry, score: rank(entry, words) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, MOST);
    return found.length === 0 ? [notice('Nothing is found.')] : found.map(({ entry }) => item(entry, words));
  }

  input.addEventListener('focus', load);
  input.addEventListener('input', find);
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && document.activeElement === document.body) {
      event.preventDefault();
      input.focus();
    }
    if (event.key === 'Escape') list.hidden = true;
    if (event.key === 'Enter' && document.activeElement === input) list.querySelector('a')?.click();
  });
  document.addEventListener('click', ({ target }) => {
    if (!list.contains(target) && target !== input) list.hidden = true;
  });
  list.addEventListener('click', () => (list.hidden = true));

  menu.addEventListener('click', () => {
    const isOpen = navigation.classList.toggle('open');
    menu.setAttribute('aria-expanded', String(isOpen));
  });
})();
