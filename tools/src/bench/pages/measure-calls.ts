import { performance } from 'node:perf_hooks';
import type { PageCall } from './page-calls';

/** How long one request took, over many of them, in milliseconds. */
interface MeasuredCall extends PageCall {
  p50: number;
  p95: number;
  max: number;
  bytes: number;
}

/** The gateway of the calls. */
export interface PageGateway {
  url: string;
  appId: string;
  serverToken: string;
  adminToken: string;
}

/**
 * Calls each path `times` times, one after the other, as one person would.
 * @throws on any answer but 200: a fast wrong answer does not count
 */
export async function measureCalls(
  gateway: PageGateway,
  calls: readonly PageCall[],
  times: number,
  report: (measured: MeasuredCall) => void,
): Promise<MeasuredCall[]> {
  const found: MeasuredCall[] = [];
  for (const call of calls) {
    const took: number[] = [];
    let bytes = 0;
    const rounds = call.body === undefined ? times : Math.ceil(times / 10);
    for (let n = 0; n < rounds; n++) {
      const begun = performance.now();
      bytes = await ask(gateway, call);
      took.push(performance.now() - begun);
    }
    took.sort((one, other) => one - other);
    const at = (share: number): number => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? NaN;
    const measured = { ...call, p50: at(0.5), p95: at(0.95), max: took.at(-1) ?? NaN, bytes };
    report(measured);
    found.push(measured);
  }
  return found;
}

async function ask(gateway: PageGateway, { path, isOperators = false, body }: PageCall): Promise<number> {
  const token = isOperators ? gateway.adminToken : gateway.serverToken;
  const answer = await fetch(`${gateway.url}${isOperators ? '/api/admin/' : '/api/'}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 500)}`);
  return text.length;
}

/** Returns one line of the table. */
export function sayMeasured({ page, p50, p95, max, bytes }: MeasuredCall): string {
  const times = [p50, p95, max].map((ms) => ms.toFixed(ms < 10 ? 1 : 0).padStart(8)).join('');
  return `${page.padEnd(38)}${times} ms ${(bytes / 1_024).toFixed(1).padStart(8)} KiB`;
}
