import { Output, type Template as Part, type Token, TypeGuards } from 'liquidjs';
import { MAX_OUTPUT } from './bounded-emitter';
import type { RenderScope } from './render-scope';
import { textOf } from './text-of';

type Piece = (scope: RenderScope) => string;
type Change = (value: unknown) => unknown;

/** What liquidjs reads from a list or a text: what it computes, its length and its places. */
const OF_LISTS = /^(?:size|first|last|length|\d+)$/;

/**
 * The same text as liquidjs', in a tenth of the time, for a template of plain variables (`Hi {{ user.name | default:
 * "you" }}`), which most are.
 *
 * @returns null for any other template
 */
export function quickTemplate(parts: readonly Part[]): Piece | null {
  const pieces: Piece[] = [];
  for (const part of parts) {
    const piece = pieceOf(part);
    if (piece === null) return null;
    pieces.push(piece);
  }
  return (scope) => {
    let text = '';
    for (const piece of pieces) text += piece(scope);
    if (text.length > MAX_OUTPUT) throw new Error(`writes more than ${MAX_OUTPUT} characters`);
    scope.budget.use(text.length);
    return text;
  };
}

function pieceOf(part: Part): Piece | null {
  if (TypeGuards.isHTMLToken(part.token)) {
    const text = part.token.getContent();
    return () => text;
  }
  if (!(part instanceof Output)) return null;
  const { initial, filters } = part.value;
  const path = initial.postfix.length === 1 ? pathOf(initial.postfix[0] as Token) : null;
  const [root, ...names] = path ?? [];
  if (root === undefined) return null;
  const changes = filters.map(changeOf);
  if (changes.some((change) => change === null)) return null;
  return variable(root, names, changes as Change[]);
}

function variable(root: string, names: readonly string[], changes: readonly Change[]): Piece {
  return (scope) => {
    let value = scope.lookup(root, names);
    for (const change of changes) value = change(value);
    return textOf(value);
  };
}

/** The names of a variable, when all are plain ones. */
function pathOf(token: Token): string[] | null {
  if (!TypeGuards.isPropertyAccessToken(token) || token.variable !== undefined) return null;
  const names = token.props.map((prop) =>
    TypeGuards.isWordToken(prop) || TypeGuards.isQuotedToken(prop) ? prop.content : null,
  );
  const [, ...members] = names;
  return names.includes(null) || members.some((name) => OF_LISTS.test(name as string)) ? null : (names as string[]);
}

function changeOf({ name, args }: Output['value']['filters'][number]): Change | null {
  const [first] = args;
  if (name === 'default' && args.length === 1 && TypeGuards.isQuotedToken(first)) {
    const { content } = first;
    return (value) => (isBlank(value) ? content : value);
  }
  if (args.length > 0) return null;
  if (name === 'upcase') return (value) => stringOf(value).toUpperCase();
  if (name === 'downcase') return (value) => stringOf(value).toLowerCase();
  return name === 'capitalize' ? capitalised : null;
}

function isBlank(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || value === false;
}

function capitalised(value: unknown): string {
  const text = stringOf(value);
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}

/** As liquidjs' filters make text of what they are given. */
function stringOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(stringOf).join('');
  return typeof value === 'object' && value !== null ? '[object Object]' : textOf(value);
}
