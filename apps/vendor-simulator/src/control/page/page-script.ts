/**
 * Puts new cards on top once a second, without touching those that stand (an open one stays open), and only while
 * somebody looks. The cards come escaped from the server; the policy of the page runs nothing that is not this script.
 */
export const PAGE_SCRIPT = `
(() => {
  const list = document.getElementById('cards');
  const count = document.querySelector('output');
  const offline = document.querySelector('.live');
  const page = document.body.dataset;
  const most = Number(page.most);
  const zone = new Intl.DateTimeFormat(undefined, { timeStyle: 'medium' });

  function localTimes(root) {
    for (const time of root.querySelectorAll('time')) time.textContent = zone.format(new Date(time.dateTime));
  }

  function show(news) {
    if (String(news.generation) !== page.generation) return location.reload();
    offline.hidden = true;
    count.textContent = news.accepted.toLocaleString();
    if (!news.html) return;
    page.last = news.lastId;
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
        show(await (await fetch('/cards?after=' + page.last)).json());
      } catch {
        offline.hidden = false;
      }
    }
    setTimeout(look, 1000);
  }

  localTimes(document);
  setTimeout(look, 1000);
})();
`;
