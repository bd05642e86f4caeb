import { flag, list, object, text, whole, word } from '../shape/shape';
import { violationsOf } from '../shape/violations';
import type { PhonesSetup, Tap } from './phones';

const MOST_PHONES = 100_000;

const PHONE = object({ token: text(), installationId: text(), userId: text() }, ['token', 'installationId', 'userId']);
const SETUP = object(
  {
    gateway: text(/^https?:\/\//, 'an http address'),
    accessToken: text(),
    phones: list(PHONE, MOST_PHONES),
    react: flag,
  },
  ['gateway', 'accessToken', 'phones', 'react'],
);
const TAP = object(
  {
    id: whole(1),
    kind: word('DELIVERED', 'SHOWN', 'OPENED', 'DISMISSED', 'ACTION_TAKEN'),
    actionId: text(/^[^]{1,255}$/, '1 to 255 characters'),
  },
  ['id', 'kind'],
);

/** Reads the phones of an application as they came over the control port. */
export function parsePhones(value: unknown): { setup: PhonesSetup } | { problem: string } {
  const problem = problemOf(SETUP, value);
  return problem === null ? { setup: value as PhonesSetup } : { problem };
}

/** Reads what a person did with a message. */
export function parseTap(value: unknown): { tap: Tap } | { problem: string } {
  const problem = problemOf(TAP, value);
  return problem === null ? { tap: value as Tap } : { problem };
}

function problemOf(shape: Parameters<typeof violationsOf>[0], value: unknown): string | null {
  const [violation] = violationsOf(shape, value, '');
  if (violation === undefined) return null;
  return `${violation.name ?? violation.field}: ${violation.expected ?? violation.kind}`;
}
