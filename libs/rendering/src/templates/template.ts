import { analyzeSync, type Template as Part, toValueSync, type Variable } from 'liquidjs';
import { BoundedEmitter } from './bounded-emitter';
import { ENGINE } from './liquid-engine';
import type { PlainTemplate } from './plain-template';
import { type RenderScope, TemplateContext } from './template-context';
import { childrenOf } from './work-budget';

/** What liquidjs reads from an object beside its members: it takes the others to answer. */
const COMPUTED: readonly unknown[] = ['size', 'first', 'last'];

/**
 * The names that these uses of a variable may read from it: `user.purchase.count` is the attribute `purchase.count`, or `count`
 * in `purchase`.
 *
 * @returns null when that shows only when it is rendered
 */
function namesRead(uses: readonly Variable[]): ReadonlySet<string> | null {
  const names = new Set<string>();
  for (const { segments } of uses) {
    const path = segments.slice(1).filter((segment) => typeof segment === 'string');
    const [first] = path;
    if (first === undefined || path.length < segments.length - 1 || COMPUTED.includes(first)) return null;
    names.add(first).add(path.join('.'));
  }
  return names;
}

/** These write as people do where the device is, which they must know for that. */
const LOCAL_FILTERS = /\|\s*(?:date|number|currency|percent)\b/;
const UNSOUND = /[\p{Surrogate}\0]/u;
const MAX_DEPTH = 16;

/** A text with anything in it that Liquid knows, ready to be rendered for anybody. */
export type Template = PlainTemplate;

/**
 * Parses a text with liquidjs. What it refuses: syntax errors, unknown filters and tags, texts nested too deep. Callers'
 * templates are parsed and rendered like this in a sandbox of their own only (`TemplateSandboxes`).
 *
 * @throws Error in words for a person
 */
export function parseTemplate(text: string): Template {
  const parts = ENGINE.parse(text);
  checkDepth(parts, 1);
  const analysis = analyzeSync(parts, { partials: false });
  const globals = new Set(Object.keys(analysis.globals));
  if (LOCAL_FILTERS.test(text)) globals.add('device');
  const attributes = namesRead(analysis.variables.user ?? []);
  const variables = namesRead(analysis.variables.variables ?? []);
  return { globals, attributes, variables, render: (scope) => cleaned(renderParts(parts, scope)) };
}

/** By liquidjs itself, each step charged. */
export function renderParts(parts: Part[], scope: RenderScope): string {
  const context = new TemplateContext(scope, ENGINE);
  const emitter = new BoundedEmitter(scope.budget);
  toValueSync(ENGINE.renderer.renderTemplates(parts, context, emitter) as Generator<unknown, unknown, unknown>);
  return emitter.buffer;
}

function checkDepth(parts: readonly Part[], depth: number): void {
  if (depth > MAX_DEPTH) throw new Error(`a template is nested at most ${MAX_DEPTH} levels deep`);
  for (const part of parts) checkDepth(childrenOf(part), depth + 1);
}

/** Filters can cut a character in halves, which no JSON reader takes, and escapes can make a NUL, which no database does. */
function cleaned(text: string): string {
  return UNSOUND.test(text) ? text.replace(new RegExp(UNSOUND, 'gu'), '\uFFFD') : text;
}
