import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { misdeedsOf } from './panel-harness';

const OUTPUT = join(__dirname, '..', '..', '..', '..', 'test-output', 'panel');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [1_440, 768, 390] as const;
const HEIGHT = 860;
/** Long lists show only the rows in sight. */
const TALLEST = 1_700;

interface Violation {
  id: string;
  impact: string;
  help: string;
  nodes: { target: string[]; html: string; failureSummary?: string }[];
}

/**
 * Looks at a page as it stands, in both colour schemes and at three widths: pictures go to `test-output/panel`.
 *
 * Fails on serious and critical findings of axe, when the page is wider than the window, and on what it did that it may not.
 */
export async function inspectPage(page: Page, name: string): Promise<void> {
  mkdirSync(OUTPUT, { recursive: true });
  const found: Record<string, unknown> = {};
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      await page.evaluate('new Promise((later) => requestAnimationFrame(() => requestAnimationFrame(later)))');
      await photograph(page, `${name}-${colorScheme}-${width}`, width);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
      const findings = [
        ...(width === WIDTHS[1] ? [] : await violationsOf(page)),
        ...(overflow > 0 ? [`${overflow} px wider than the window`] : []),
        ...(await crushedIn(page)),
      ];
      if (findings.length > 0) found[`${colorScheme} ${width}`] = findings;
    }
  }
  await page.setViewportSize({ width: WIDTHS[0], height: HEIGHT });
  expect({ page: name, found, misdeeds: misdeedsOf(page) }).toEqual({ page: name, found: {}, misdeeds: [] });
}

/** Lists in which the first column, that says what a row is, has no room left, or the last stands outside the window. */
async function crushedIn(page: Page): Promise<string[]> {
  const rows = await page.evaluate<{ first: number; end: number; width: number }[]>(
    `[...document.querySelectorAll('[role=table] [role=row]:has([role=cell])')].slice(0, 3).map((row) => {
      const cells = [...row.children].map((cell) => cell.getBoundingClientRect()).filter(({ width }) => width > 0);
      return { first: cells[0]?.width ?? 0, end: Math.max(...cells.map(({ right }) => right)), width: window.innerWidth };
    })`,
  );
  return rows
    .filter(({ first, end, width }) => first < 80 || end > width)
    .map(({ first, end }) => `a row whose first column is ${first} px wide and whose last ends at ${end} px`);
}

/** The page from its top, as far as somebody would scroll. */
async function photograph(page: Page, name: string, width: number): Promise<void> {
  const height = await page.evaluate<number>('window.scrollTo(0, 0), document.documentElement.scrollHeight');
  const clip = { x: 0, y: 0, width, height: Math.min(height, TALLEST) };
  await page.screenshot({ path: join(OUTPUT, `${name}.png`), fullPage: true, clip });
}

/** Runs axe inside the page, past its content security policy, which lets no foreign script in. */
async function violationsOf(page: Page): Promise<unknown[]> {
  await page.evaluate(`if (!window.axe) { ${AXE} }`);
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(document, { resultTypes: ['violations'] })`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.slice(0, 5).map(({ html, failureSummary }) => `${html.slice(0, 200)} | ${failureSummary ?? ''}`),
    }));
}
