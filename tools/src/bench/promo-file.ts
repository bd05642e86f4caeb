import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 12;
const LINES_AT_ONCE = 10_000;

/** Writes a file of different codes in no order, one a line. The same number gives the same file. */
export async function writeCodes(path: string, count: number): Promise<void> {
  const file = createWriteStream(path);
  let text = '';
  for (let n = 0; n < count; n++) {
    text += `${codeOf(n)}\n`;
    if (n % LINES_AT_ONCE === 0 || n === count - 1) {
      if (!file.write(text)) await once(file, 'drain');
      text = '';
    }
  }
  file.end();
  await once(file, 'finish');
}

/** 60 bits: an odd factor permutes the numbers below 2^60, so that no two are the same. */
function codeOf(n: number): string {
  let bits = BigInt.asUintN(5 * LENGTH, BigInt(n + 1) * 0x9e3779b97f4a7c15n);
  let code = '';
  for (let i = 0; i < LENGTH; i++) {
    code += LETTERS.charAt(Number(bits & 31n));
    bits >>= 5n;
  }
  return code;
}
