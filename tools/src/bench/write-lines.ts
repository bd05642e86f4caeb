import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const LINES_AT_ONCE = 5_000;

/** Writes a file of `count` lines below its head (which ends with a line break, or is empty). */
export async function writeLines(
  path: string,
  { head = '', count, line }: { head?: string; count: number; line: (n: number) => string },
): Promise<void> {
  const file = createWriteStream(path);
  let text = head;
  for (let n = 0; n < count; n++) {
    text += `${line(n)}\n`;
    if (n % LINES_AT_ONCE === 0 || n === count - 1) {
      if (!file.write(text)) await once(file, 'drain');
      text = '';
    }
  }
  file.end();
  await once(file, 'finish');
}
