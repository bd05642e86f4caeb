import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { BrokenLinks, buildGuide } from './build-guide';
import { contentsOf } from './contents';

const ROOT = resolve(__dirname, '../../..');

describe('the guide', () => {
  let folder: string;

  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'guide-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const build = (root: string): number => buildGuide(root, join(folder, 'site'), join(ROOT, 'apps', 'guide', 'assets'));
  const read = (path: string): string => readFileSync(join(folder, 'site', path), 'utf8');

  /** A repository with a document for every page, all empty but one. */
  function repositoryWith(api: string): string {
    const root = join(folder, 'repository');
    for (const { file } of contentsOf(ROOT).flatMap(({ pages }) => pages)) {
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), file === 'docs/api.md' ? api : '# A page\n');
    }
    return root;
  }

  it('is a page for every document, and no link of theirs is broken', () => {
    expect(build(ROOT)).toBeGreaterThan(60);
    const first = read('index.html');
    for (const [, href = ''] of first.matchAll(/href="\/guide\/([^"#]+)"/g))
      expect(read(href).length).toBeGreaterThan(0);
    const entries = JSON.parse(read('search.json')) as [string, string, string, string][];
    expect(entries.find(([address]) => address === '/guide/api.html#importing-devices')?.[3]).toContain('OneSignal');
  });

  it('has a page for addresses without one, which is in no navigation and in no search', () => {
    build(repositoryWith('# API\n'));
    const page = read('404.html');
    expect(page).toContain('There is no such page</h1>');
    expect(page).toContain('<nav id="navigation"');
    expect(page).not.toContain('aria-current');
    expect(read('index.html') + read('search.json')).not.toContain('404');
  });

  it('is not built with a link to a file or a heading that does not exist', () => {
    const root = repositoryWith('# API\n\n[a](nothing.md) [b](errors.md#nowhere) [c](errors.md) [d](#api)\n');
    expect(() => build(root)).toThrow(BrokenLinks);
    try {
      build(root);
    } catch (error) {
      expect((error as BrokenLinks).links).toEqual(['docs/api.md: nothing.md', 'docs/api.md: errors#nowhere']);
    }
  });

  it('shows what looks like HTML as text, and links to sources as their text', () => {
    build(
      repositoryWith(
        '# <script>alert(1)</script>\n\n<img src=x onerror=alert(1)> [code](../LICENSE) [x](javascript:alert(1))\n'.replace(
          '../LICENSE',
          'api.md',
        ),
      ),
    );
    const html = read('api.html');
    expect(html).not.toMatch(/<script>alert|<img src=x|javascript:/);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });
});
