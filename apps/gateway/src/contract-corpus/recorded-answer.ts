import type { TestAnswer } from '../testing/test-gateway';
import { digestOf } from './seeded-choice';

/** An answer without the parts that differ with each run. */
export interface RecordedAnswer {
  status: number;
  /** The name of the error. */
  error?: string;
  /** The path of each bad field, sorted. Messages are for people, and may be reworded. */
  paths?: string[];
  /** The body of any other answer, flattened. */
  body?: Record<string, unknown>;
}

const LONGEST = 60;
const SEEDED = /^01932c5e-7f7a-7c3e-8a3b-/i;
const CHANGING: readonly [RegExp, string][] = [
  [/whsec_[A-Za-z0-9+/=]+/g, '<secret>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, '<time>'],
  [/\b1[7-9]\d{11}\b/g, '<time>'],
  [/\b127\.0\.0\.1:\d+/g, '<address>'],
  [/\/t\/\w{12}\b/g, '/t/<drawn>'],
];
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** Members with random values. */
const DRAWN =
  /(?:^|\.)(?:id|token|secret|identityKey|publicKey|privateKey|statusUrl|cursor|nextCursor|webhookId|tokens\.\w+)$/;
/** Members with a measured duration or rate. */
const MEASURED = /(?:^|\.)(?:tookMs|perSecond|rate\.\w+)$/;

/** Members that depend on the time of the run. */
const MOMENTARY = /^(?:online|throughput|attention)\b/;

/** @param appId the case's application, which is recorded as `<case>` */
export function recordedAnswer({ status, body }: TestAnswer, appId: string): RecordedAnswer {
  const text = (value: string): string => steady(value, appId);
  const error = (body as { error?: { name?: string; details?: { path: string }[] } } | null)?.error;
  if (error) {
    const paths = (error.details ?? []).map(({ path }) => text(path)).sort();
    return { status, error: error.name ?? '', ...(paths.length > 0 ? { paths } : {}) };
  }
  if (typeof body === 'string') return { status, body: { '': shortened(text(body)) } };
  return {
    status,
    body: Object.fromEntries(
      flat(body, '')
        .flatMap(([path, value]) => (MOMENTARY.test(path) ? [] : [[path, valueOf(path, value, text)] as const]))
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
  };
}

function valueOf(path: string, value: unknown, text: (value: string) => string): unknown {
  if (MEASURED.test(path)) return '<measured>';
  if (DRAWN.test(path) && typeof value === 'string') return '<drawn>';
  return typeof value === 'string' ? shortened(text(value)) : text(JSON.stringify(value));
}

function steady(value: string, appId: string): string {
  const named = value.replaceAll(appId, '<case>').replaceAll(UUID, (id) => (SEEDED.test(id) ? id : '<id>'));
  return CHANGING.reduce((result, [pattern, name]) => result.replaceAll(pattern, name), named);
}

function shortened(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST / 2)}… ${digestOf(text)}`;
}

/** The leaves of a value by their paths. */
function flat(value: unknown, path: string): [path: string, value: unknown][] {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return [[path, value]];
  return Object.entries(value).flatMap(([name, member]) => flat(member, path === '' ? name : `${path}.${name}`));
}
