import { createHmac, generateKeyPairSync } from 'node:crypto';
import { DAY_MS } from '@postrider/domain';
import type { CorpusCase } from './corpus-case';
import { digestOf } from './seeded-choice';

/** What every application of the corpus has; the same ids in each, but for what is unique among all applications. */
export const KNOWN = {
  installation: '01932c5e-7f7a-7c3e-8a3b-000000000001',
  segment: '01932c5e-7f7a-7c3e-8a3b-000000000002',
  promoSet: '01932c5e-7f7a-7c3e-8a3b-000000000003',
  other: '01932c5e-7f7a-7c3e-8a3b-0000000000ff',
};

/** The key under which the users of every application are proved. */
export const IDENTITY_KEY = 'identity-key-of-the-corpus';

/** The application that a case is sent to: one of its own, so that no case sees what another one left; all that read share one. */
export function applicationOf({ operation, name }: CorpusCase): string {
  return operation.startsWith('GET ') ? 'reader' : `c${digestOf(`${operation} ${name}`)}`;
}

/** A tracker of an application: links name no application, so its id is unique among all. */
export function trackerOf(appId: string): string {
  return `tr${appId}`;
}

/** Writes what the texts in angle brackets stand for. */
export class FillIn {
  readonly #always: Record<string, string>;

  /** @param known further texts, such as the id of a message that was sent */
  constructor(known: Readonly<Record<string, string>>) {
    const tomorrow = new Date(Date.now() + DAY_MS).toISOString();
    this.#always = {
      ...KNOWN,
      ...known,
      proof: createHmac('sha256', IDENTITY_KEY).update('ada').digest('hex'),
      tomorrow,
      'tomorrow local': tomorrow.slice(0, 19),
      'rsa key': generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export(PEM).toString(),
      'ec key': generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(PEM).toString(),
    };
  }

  /** @param own what only this case knows */
  into(text: string, own: Readonly<Record<string, string>>): string {
    return text.replaceAll(/<([a-zA-Z ]+)>/g, (whole, name: string) => {
      const value = own[name] ?? this.#always[name];
      return value === undefined ? whole : JSON.stringify(value).slice(1, -1);
    });
  }
}

const PEM = { type: 'pkcs8', format: 'pem' } as const;
