/**
 * Puts new cards on top once a second, without touching the present ones (an open one stays open), and only while the
 * page is visible. The server escapes the cards; the policy of the page runs no other script.
 */
export const PAGE_SCRIPT = `
(() => {
  const list = document.getElementById('cards');
  const count = document.querySelector('.count output');
  const offline = document.querySelector('.live');
  const page = document.body.dataset;
  const most = Number(page.most);
  const zone = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

  const search = document.getElementById('search');
  const path = (after) => '/cards?after=' + after + '&search=' + encodeURIComponent(search.value);
  const put = (to, body) => fetch(to, { method: 'PUT', body: JSON.stringify(body) });

  function localTimes(root) {
    for (const time of root.querySelectorAll('time')) time.textContent = zone.format(new Date(time.dateTime));
  }

  function show(news) {
    if (String(news.generation) !== page.generation) return location.reload();
    offline.hidden = true;
    count.textContent = news.accepted.toLocaleString();
    if (!news.html) return;
    page.last = Math.max(Number(page.last), news.lastId);
    const fresh = document.createElement('template');
    fresh.innerHTML = news.html;
    localTimes(fresh.content);
    for (const card of fresh.content.querySelectorAll('.card')) card.classList.add('new');
    list.prepend(fresh.content);
    while (list.children.length > most) list.lastElementChild.remove();
  }

  async function look() {
    if (!document.hidden) {
      try {
        const asked = search.value;
        const news = await (await fetch(path(page.last))).json();
        if (asked === search.value) show(news);
      } catch {
        offline.hidden = false;
      }
    }
    setTimeout(look, 1000);
  }

  async function find() {
    const asked = search.value;
    const found = await (await fetch(path(0))).json();
    if (asked !== search.value) return;
    list.replaceChildren();
    show(found);
  }

  search.addEventListener('input', find);

  document.getElementById('clear').addEventListener('click', async () => {
    await fetch('/inbox', { method: 'DELETE' });
    location.reload();
  });

  document.addEventListener('change', ({ target }) => {
    if (target.dataset.switch) put('/faults/switches', { name: target.dataset.switch, on: target.checked });
  });

  list.addEventListener('click', async ({ target }) => {
    const { tap, action } = target.dataset;
    if (!tap) return;
    const said = target.parentElement.querySelector('output');
    const answer = await put('/taps', { id: Number(target.closest('.card').dataset.id), kind: tap, actionId: action });
    const { status } = answer.ok ? await answer.json() : {};
    said.textContent = status === 200 ? 'reported: ' + target.textContent : 'the gateway took no report';
  });

  localTimes(document);
  setTimeout(look, 1000);
})();
`;
