import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { misdeedsOf, WIDE } from './panel-harness';

const OUTPUT = join(__dirname, '..', '..', '..', '..', 'test-output', 'panel');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/**
 * Switches off the rules of axe whose findings all have a lower impact than the inspected ones: nobody would see them.
 */
const ONLY_WHAT_FAILS =
  "axe._audit.rules.forEach((rule) => { if (rule.impact === 'minor' || rule.impact === 'moderate') rule.enabled = false; })";
/** Axe would write down each element that it looks at, and find a selector for it. Those of findings are written down here. */
const WITHOUT_WORDS = 'axe.configure({ noHtml: true })';
const OPTIONS = { resultTypes: ['violations'], preload: false, iframes: false, selectors: false, elementRef: true };
/** Colours do not change what is read out or where it is: in the dark, only they are inspected. */
const OF_COLOURS = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } };
/** Pictures are for people: no test compares them. */
const WITH_PICTURES = process.env.PANEL_PICTURES === '1';
/** The views that are inspected, and the rules of axe for each; null: none. */
const LOOKS = [
  { colorScheme: 'light', width: WIDE.width, rules: {} },
  { colorScheme: 'light', width: 768, rules: null },
  { colorScheme: 'light', width: 390, rules: {} },
  // The colours are those of the wide page: parts that only the narrow one has use them too.
  ...(WITH_PICTURES ? [{ colorScheme: 'dark', width: 390, rules: null } as const] : []),
  { colorScheme: 'dark', width: WIDE.width, rules: OF_COLOURS },
] as const;
/**
 * The windows in which lists have the least room for the form that they have there: a little narrower, and a list of columns would have
 * fewer of them, or become a list of cards.
 */
const TIGHT_FOR_LISTS = [1_240, 700];
/** Colours that are on their way from one scheme to the other are of neither: they are there at once, without the pictures between. */
const END_TRANSITIONS =
  'document.getAnimations().filter((one) => one instanceof CSSTransition).forEach((one) => one.finish())';
/** Long lists show only the rows in sight. */
const TALLEST = 1_700;

interface Violation {
  id: string;
  impact: string;
  help: string;
  nodes: string[];
}

/**
 * Inspects a page in both colour schemes and at three widths. With `PANEL_PICTURES=1` pictures go to
 * `test-output/panel`.
 * Fails on serious and critical findings of axe, if the page is wider than the window, and if the page did something
 * forbidden.
 */
export async function inspectPage(page: Page, name: string): Promise<void> {
  const found: Record<string, unknown> = {};
  for (const { colorScheme, width, rules } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ ...WIDE, width });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
    await page.evaluate('new Promise((later) => requestAnimationFrame(() => requestAnimationFrame(later)))');
    await page.evaluate(END_TRANSITIONS);
    if (WITH_PICTURES) await photograph(page, `${name}-${colorScheme}-${width}`, width);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    const findings = [
      ...(rules === null ? [] : await violationsOf(page, rules)),
      ...(overflow > 0 ? [`${overflow} px wider than the window`] : []),
      ...(await crushedIn(page)),
    ];
    if (findings.length > 0) found[`${colorScheme} ${width}`] = findings;
  }
  for (const width of (await page.getByRole('table').count()) > 0 ? TIGHT_FOR_LISTS : []) {
    await page.setViewportSize({ ...WIDE, width });
    const crushed = await crushedIn(page);
    if (crushed.length > 0) found[`lists ${width}`] = crushed;
  }
  await page.setViewportSize(WIDE);
  expect({ page: name, found, misdeeds: misdeedsOf(page) }).toEqual({ page: name, found: {}, misdeeds: [] });
}

/**
 * Returns lists in which the first column, which names the row, has no room left, or the last one is outside the
 * window.
 */
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

/** Returns the tables of a page that are not wholly shown on the smallest phones: a number at their edge would lose its last digits. */
export async function cutTablesOf(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 320, height: 640 });
  const cut = await page.evaluate<string[]>(
    `[...document.querySelectorAll('[role=region]:has(> * > table)')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ ariaLabel }) => ariaLabel)`,
  );
  await page.setViewportSize(WIDE);
  return cut;
}

/** The page from its top, as far as a person would scroll. */
async function photograph(page: Page, name: string, width: number): Promise<void> {
  mkdirSync(OUTPUT, { recursive: true });
  const height = await page.evaluate<number>('window.scrollTo(0, 0), document.documentElement.scrollHeight');
  const clip = { x: 0, y: 0, width, height: Math.min(height, TALLEST) };
  await page.screenshot({ path: join(OUTPUT, `${name}.png`), fullPage: true, clip });
}

/** Runs axe inside the page, past its content security policy, which lets no foreign script in. */
async function violationsOf(page: Page, rules: object): Promise<unknown[]> {
  // Half a megabyte, which the browser would read again each time that the page is looked at.
  if (!(await page.evaluate<boolean>('"axe" in window')))
    await page.evaluate(`${AXE}; ${ONLY_WHAT_FAILS}; ${WITHOUT_WORDS}`);
  const violations = await page.evaluate<Violation[]>(
    `axe.run(document, ${JSON.stringify({ ...OPTIONS, ...rules })}).then(({ violations }) =>
      violations.map(({ id, impact, help, nodes }) => ({ id, impact, help, nodes: nodes.slice(0, 5).map(
        ({ element, failureSummary }) => element.outerHTML.slice(0, 200) + ' | ' + (failureSummary ?? '')) })))`,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, help, nodes }) => ({ id, help, nodes }));
}
