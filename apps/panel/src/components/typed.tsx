import type { ReactNode } from 'react';
import { balanceBidi } from './balance-bidi';
import classes from './typed.module.css';

/**
 * Text that somebody typed (a title, an id, a tag), shown as text: in its own direction, with nothing in it reaching past it.
 *
 * @param isMono in letters of one width (ids, codes)
 * @param lines at most so many lines, then an ellipsis
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
