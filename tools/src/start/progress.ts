const GREEN = '\u001b[32m';
const DIM = '\u001b[2m';
const BOLD = '\u001b[1m';
const RESET = '\u001b[0m';

const colored = process.stdout.isTTY && !process.env.NO_COLOR;

function paint(code: string, text: string): string {
  return colored ? `${code}${text}${RESET}` : text;
}

/** Bold text on a terminal. */
export function bold(text: string): string {
  return paint(BOLD, text);
}

/** Text that is less important. */
export function dim(text: string): string {
  return paint(DIM, text);
}

/** Does one step of the start and prints a line when it is done: its name, its result, and its duration. */
export async function step<T>(name: string, work: () => Promise<T>, describe?: (result: T) => string): Promise<T> {
  if (process.stdout.isTTY) process.stdout.write(`  ${name} …`);
  const begun = performance.now();
  const result = await work();
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
  const detail = describe?.(result) ?? '';
  console.log(`${paint(GREEN, '✔')} ${name.padEnd(16)} ${detail} ${dim(`(${seconds} s)`)}`);
  return result;
}
