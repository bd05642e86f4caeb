import { analyzeSync, type Template as Part, toValueSync, type Variable } from 'liquidjs';
import { BoundedEmitter } from './bounded-emitter';
import { ENGINE } from './liquid-engine';
import type { PlainTemplate } from './plain-template';
import { type RenderScope, TemplateContext } from './template-context';
import { childrenOf } from './work-budget';

/** Properties that liquidjs computes for an object, beside its members. */
const COMPUTED: readonly unknown[] = ['size', 'first', 'last'];

/**
 * The names that these uses of a variable may read from it: `user.purchase.count` is the attribute `purchase.count`, or `count`
 * in `purchase`.
 *
 * @returns null if that is known only during rendering
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

/** These filters depend on the device's locale and time zone. */
const LOCAL_FILTERS = /\|\s*(?:date|number|currency|percent)\b/;
const UNSOUND = /[\p{Surrogate}\0]/u;
const MAX_DEPTH = 16;

/** A text with anything that Liquid supports, ready to be rendered for any person. */
export type Template = PlainTemplate;

/**
 * Parses a text with liquidjs. It refuses syntax errors, unknown filters and tags, and texts that are nested too deep.
 * Callers' templates are parsed and rendered like this only in a sandbox (`TemplateSandboxes`).
 *
 * @throws Error with a message for people
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

/** Rendered by liquidjs itself, each step charged. */
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

/**
 * Filters can cut a character in half, which no JSON parser accepts, and escapes can make a NUL, which no database
 * accepts.
 */
function cleaned(text: string): string {
  return UNSOUND.test(text) ? text.replace(new RegExp(UNSOUND, 'gu'), '\uFFFD') : text;
}
