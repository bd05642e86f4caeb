const OPENING = new Set(['\u2066', '\u2067', '\u2068']);
const CLOSING = '\u2069';

/**
 * Closes what a text opens of directional isolates, and drops what it closes without having opened it: otherwise it would
 * end the isolate that it is shown in, or swallow that one's end, and turn round what stands beside it (UAX #9, BD9).
 */
export function balanceBidi(text: string): string {
  if (!/[\u2066-\u2069]/.test(text)) return text;
  let depth = 0;
  let balanced = '';
  for (const letter of text) {
    if (letter === CLOSING) {
      if (depth === 0) continue;
      depth -= 1;
    } else if (OPENING.has(letter)) depth += 1;
    balanced += letter;
  }
  return balanced + CLOSING.repeat(depth);
}
