import type { ReactNode } from 'react';
import classes from './typed.module.css';
import { CopyButton } from './copy-button';

/**
 * Text that a person typed (a title, an id, a tag), shown as text: in its own direction, and without effect beyond it.
 * @param isMono in letters of one width (ids, codes)
 * @param lines at most this many lines, then an ellipsis
 */
export function Typed({ text, isMono = false, lines }: { text: string; isMono?: boolean; lines?: number }): ReactNode {
  const names = ['typed', isMono && classes.mono, lines !== undefined && classes.clamped].filter(Boolean).join(' ');
  return (
    <bdi dir="auto" className={names} style={lines === undefined ? undefined : { WebkitLineClamp: lines }}>
      {balanceBidi(shorten(text))}
    </bdi>
  );
}

const LONGEST = 4_000;

/** A text of a hundred thousand letters would only slow the page down: its beginning says enough. */
function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… (${text.length} characters in all)`;
}

const OPENING = new Set(['\u2066', '\u2067', '\u2068']);
const CLOSING = '\u2069';

/** Each shows its letters in another order than they stand in: `gnp.exe` as `exe.png`. */
const OVERRIDES = /[\u202D\u202E]/g;

/**
 * Removes overrides of direction, which only deceive. An isolate is a part of a text with its own writing direction,
 * from an opening character to a closing one (UAX #9, BD9). Every isolate that the text opens is closed, and closing
 * characters without an opening one are dropped. Otherwise the text would change the direction of the text beside it.
 */
export function balanceBidi(text: string): string {
  const plain = text.replace(OVERRIDES, (mark) => `[${nameOf(mark)}]`);
  if (!/[\u2066-\u2069]/.test(plain)) return plain;
  let depth = 0;
  let balanced = '';
  for (const letter of plain) {
    if (letter === CLOSING) {
      if (depth === 0) continue;
      depth -= 1;
    } else if (OPENING.has(letter)) depth += 1;
    balanced += letter;
  }
  return balanced + CLOSING.repeat(depth);
}

/** Marks of direction and letters without a width, but for the two that Persian and emoji need. */
const INVISIBLE = /[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

/** Data as text in which nothing is invisible: what has no width is written as JSON may write it. */
export function spellInvisible(json: string): string {
  return json.replace(INVISIBLE, (mark) => `\\u${codeOf(mark).toLowerCase()}`);
}

function nameOf(mark: string): string {
  return `U+${codeOf(mark)}`;
}

function codeOf(mark: string): string {
  return mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
}

const LONGEST_JSON = 20_000;

/** Data as it is, indented, as text that can be copied. A very long one is shown in part and copied whole. */
export function JsonView({ value, label }: { value: unknown; label: string }): ReactNode {
  const text = spellInvisible(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
  return (
    <div className={classes.json}>
      <div className={classes.jsonCopy}>
        <CopyButton value={text} label={`Copy ${label}`} />
      </div>
      <pre tabIndex={0} aria-label={label} dir="ltr" className={classes.jsonText}>
        {text.length <= LONGEST_JSON
          ? text
          : `${text.slice(0, LONGEST_JSON)}\n… ${text.length - LONGEST_JSON} more characters`}
      </pre>
    </div>
  );
}
