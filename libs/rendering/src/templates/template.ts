import { analyzeSync, type Template as Part, toValueSync } from 'liquidjs';
import { attributesNamed } from './attributes-named';
import { BoundedEmitter } from './bounded-emitter';
import { ENGINE } from './liquid-engine';
import { quickTemplate } from './quick-template';
import type { RenderScope } from './render-scope';
import { TemplateContext } from './template-context';
import { childrenOf } from './template-weight';

/** These write as people do where the device is, which they must know for that. */
const LOCAL_FILTERS = /\|\s*(?:date|number|currency|percent)\b/;
const UNSOUND = /[\p{Surrogate}\0]/u;
/** Longer than any text that could go into a payload, with room for all that is chosen from. */
const MAX_LENGTH = 16_384;
const MAX_DEPTH = 16;

/** A text with variables in it, ready to be rendered for anybody. */
export interface Template {
  /** The variables that it names and does not set itself: `user`, `promoCode`, … */
  readonly globals: ReadonlySet<string>;
  /** The user's attributes that it may read; null: any. */
  readonly attributes: ReadonlySet<string> | null;
  /** @throws Error in words for a person when the text cannot be made, or takes too much work */
  render(scope: RenderScope): string;
}

/** Whether a text holds anything to be rendered. Other texts are passed on as they are. */
export function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%');
}

/**
 * Parses a text. What it refuses: syntax errors, unknown filters and tags, texts that are too long or nested too deep.
 *
 * @throws Error in words for a person
 */
export function parseTemplate(text: string): Template {
  if (text.length > MAX_LENGTH) throw new Error(`a template has at most ${MAX_LENGTH} characters`);
  const parts = ENGINE.parse(text);
  checkDepth(parts, 1);
  const analysis = analyzeSync(parts, { partials: false });
  const globals = new Set(Object.keys(analysis.globals));
  if (LOCAL_FILTERS.test(text)) globals.add('device');
  const quick = quickTemplate(parts);
  const attributes = attributesNamed(analysis.variables.user ?? []);
  return { globals, attributes, render: quick ?? ((scope) => cleaned(renderParts(parts, scope))) };
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
