import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { contentsOf, type GuidePage, type GuideSection } from './contents';
import { pageFrame } from './page-frame';
import { renderDocument, type RenderedDocument } from './render-document';

/** The path under which the guide is served. */
const GUIDE_BASE = '/guide/';

const IMAGE = /\.(?:png|svg|webp|jpe?g)$/;
const ELSEWHERE = /^[a-z][a-z0-9+.-]*:/i;

/** A link of a document that leads nowhere. */
export class BrokenLinks extends Error {
  constructor(readonly links: readonly string[]) {
    super(`Links of the documents lead nowhere:\n${links.join('\n')}`);
  }
}

interface Work {
  root: string;
  pages: ReadonlyMap<string, GuidePage>;
  images: Set<string>;
  /** The links of each page inside the site: checked when all pages are known. */
  links: { from: string; path: string; anchor: string }[];
  broken: string[];
}

/**
 * Builds the guide from the documents of the repository: a page for each, its pictures, the navigation, and the search
 * index.
 * @param root of the repository
 * @param folder that it is written to; its former content is deleted
 * @param assets the folder of styles and scripts
 * @returns how many pages there are
 * @throws BrokenLinks if a document links to a file or a heading that does not exist
 */
export function buildGuide(root: string, folder: string, assets: string): number {
  const sections = contentsOf(root);
  const pages = sections.flatMap((section) => section.pages);
  const work: Work = {
    root,
    pages: new Map(pages.map((page) => [page.file, page])),
    images: new Set(),
    links: [],
    broken: [],
  };
  const rendered = new Map(pages.map((page) => [page.path, renderPage(work, page)]));
  work.broken.push(...brokenAnchors(work, rendered));
  if (work.broken.length > 0) throw new BrokenLinks(work.broken);
  rmSync(folder, { recursive: true, force: true });
  writeAll({ root, folder, assets }, sections, rendered, work.images);
  return pages.length;
}

function renderPage(work: Work, page: GuidePage): RenderedDocument {
  const markdown = readFileSync(join(work.root, page.file), 'utf8');
  return renderDocument(markdown, (href) => resolveLink(work, page, href));
}

/**
 * Links to documents lead to their pages. Links to other files of the repository are removed, because these files are
 * not on the site.
 */
function resolveLink(work: Work, page: GuidePage, href: string): string | null {
  if (ELSEWHERE.test(href)) return /^(?:https?|mailto):/i.test(href) ? href : null;
  if (href.startsWith('/')) return href;
  const [path = '', anchor = ''] = href.split('#');
  const file = path === '' ? page.file : posix.join(posix.dirname(page.file), decodeURI(path)).replace(/\/$/, '');
  if (!existsSync(join(work.root, file))) {
    work.broken.push(`${page.file}: ${href}`);
    return null;
  }
  if (IMAGE.test(file)) {
    work.images.add(file);
    return `${GUIDE_BASE}images/${posix.basename(file)}`;
  }
  return linkToPage(work, page, file, anchor);
}

function linkToPage(work: Work, page: GuidePage, file: string, anchor: string): string | null {
  const target = work.pages.get(file);
  if (target === undefined) return null;
  work.links.push({ from: page.file, path: target.path, anchor: decodeURI(anchor) });
  return addressOf(target) + (anchor === '' ? '' : `#${anchor}`);
}

function addressOf({ path }: GuidePage): string {
  return path === '' ? GUIDE_BASE : `${GUIDE_BASE}${path}.html`;
}

function brokenAnchors({ links }: Work, rendered: ReadonlyMap<string, RenderedDocument>): string[] {
  return links
    .filter(({ path, anchor }) => anchor !== '' && !rendered.get(path)?.sections.some(({ id }) => id === anchor))
    .map(({ from, path, anchor }) => `${from}: ${path}#${anchor}`);
}

function writeAll(
  { root, folder, assets }: { root: string; folder: string; assets: string },
  sections: readonly GuideSection[],
  rendered: ReadonlyMap<string, RenderedDocument>,
  images: ReadonlySet<string>,
): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const pages = sections.flatMap((section) => section.pages);
  for (const [place, page] of pages.entries()) {
    const document = rendered.get(page.path);
    if (document === undefined) continue;
    const neighbours = { before: pages[place - 1] ?? null, after: pages[place + 1] ?? null };
    const html = pageFrame({ page, document, sections, ...neighbours, addressOf });
    write(page.path === '' ? 'index.html' : `${page.path}.html`, html);
  }
  write('404.html', pageFrame({ page: NO_PAGE, document: NOTHING, sections, before: null, after: null, addressOf }));
  write('search.json', JSON.stringify(searchIndex(pages, rendered)));
  for (const image of images) {
    mkdirSync(join(folder, 'images'), { recursive: true });
    cpSync(join(root, image), join(folder, 'images', posix.basename(image)));
  }
  cpSync(assets, join(folder, 'assets'), { recursive: true });
}

/** What stands at addresses without a page. */
const NO_PAGE = { title: 'There is no such page' };
const NOTHING: RenderedDocument = renderDocument(
  `# ${NO_PAGE.title}\n\nIt may have been renamed. Search for it above, or begin with [What Postrider is](${GUIDE_BASE}).\n`,
  (href) => href,
);

/** One entry a section: address, page, heading, text. */
function searchIndex(pages: readonly GuidePage[], rendered: ReadonlyMap<string, RenderedDocument>): string[][] {
  return pages.flatMap((page) =>
    (rendered.get(page.path)?.sections ?? []).map(({ id, title, text }) => [
      addressOf(page) + (id === '' ? '' : `#${id}`),
      page.title,
      title,
      text.replace(/\s+/g, ' ').trim(),
    ]),
  );
}
