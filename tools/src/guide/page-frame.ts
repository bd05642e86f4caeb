import type { GuidePage, GuideSection } from './contents';
import { escapeHtml, type RenderedDocument } from './render-document';

/** The parts of a page of the guide. */
interface FramedPage {
  page: Pick<GuidePage, 'title'>;
  document: RenderedDocument;
  sections: readonly GuideSection[];
  before: GuidePage | null;
  after: GuidePage | null;
  addressOf(page: GuidePage): string;
}

const LARGEST_IN_OUTLINE = 2;

/** Returns a document in its frame: search, navigation, an outline, the pages before and after it. */
export function pageFrame({ page, document, sections, before, after, addressOf }: FramedPage): string {
  const link = (to: GuidePage, label: string): string => `<a href="${addressOf(to)}">${label}</a>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Postrider</title>
<link rel="icon" href="/panel/favicon.svg">
<link rel="stylesheet" href="/guide/assets/guide.css">
<script src="/guide/assets/guide.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<button type="button" id="menu" aria-expanded="false" aria-controls="navigation">Contents</button>
<a class="name" href="/guide/">Postrider</a>
<search><input type="search" id="search" placeholder="Search" aria-label="Search the guide" aria-controls="found" autocomplete="off"></search>
<nav aria-label="Gateway"><a href="/panel">Panel</a> <a href="/docs">API reference</a></nav>
</header>
<ol id="found" hidden aria-label="Found"></ol>
<div class="columns">
<nav id="navigation" aria-label="Guide">${sections.map((section) => navigation(section, page, addressOf)).join('')}</nav>
<main id="content">
${document.html}
<footer>${before ? link(before, `← ${escapeHtml(before.title)}`) : '<span></span>'}${after ? link(after, `${escapeHtml(after.title)} →`) : ''}</footer>
</main>
<nav class="outline" aria-label="On this page">${outline(document)}</nav>
</div>
</body>
</html>
`;
}

function navigation(
  { title, pages, isFolded }: GuideSection,
  current: FramedPage['page'],
  addressOf: FramedPage['addressOf'],
): string {
  const items = pages
    .map((page) => {
      const here = page === current ? ' aria-current="page"' : '';
      return `<li><a href="${addressOf(page)}"${here}>${escapeHtml(page.title)}</a></li>`;
    })
    .join('');
  if (!isFolded) return `<section><h2>${escapeHtml(title)}</h2><ul>${items}</ul></section>`;
  const open = pages.some((page) => page === current) ? ' open' : '';
  return `<details${open}><summary>${escapeHtml(title)}</summary><ul>${items}</ul></details>`;
}

function outline({ sections }: RenderedDocument): string {
  const items = sections
    .filter(({ id, depth }) => id !== '' && depth === LARGEST_IN_OUTLINE)
    .map(({ id, title }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(title)}</a></li>`);
  return items.length < 2 ? '' : `<h2>On this page</h2><ul>${items.join('')}</ul>`;
}
