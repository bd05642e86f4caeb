import { type PersonFacts, PersonScope } from '../person-scope';
import { parseTemplate } from '../template';

type Device = NonNullable<PersonFacts['device']>;

const NOW = new Date('2026-11-21T12:34:56.789Z');

/** A person with many known facts. */
export const ADA: PersonFacts = {
  userId: 'ada',
  attributes: {
    name: 'Ada Lovelace',
    points: 1_234.5,
    'purchase.count': 3,
    city: null,
    isMember: true,
    isGuest: false,
    hobbies: ['chess', 'maths'],
    born: '1815-12-10',
    empty: '',
  },
  tags: ['vip', 'plan', 'slice', 'length', '0'],
  tagValues: { plan: 'gold' },
  device: {
    installationId: '0199f000-0000-7000-8000-00000000000a',
    deviceType: 'android',
    osVersion: '14',
    clientVersion: '2.3.1',
    locale: 'de_DE',
    timeZone: 'Europe/Berlin',
    attributes: { theme: 'dark' },
    registration: { deviceModel: 'Pixel 8', token: 'secret', userHash: 'secret', nested: { a: [1, { b: 2 }] } },
  },
  promoCode: 'CODE-1',
};
const MESSAGE = { id: 'm1', trackId: 'spring', channel: 'public/default', createdAt: '2026-11-21T12:00:00.000Z' };

/** The variables of a template about a person. */
export function scopeOf(person: PersonFacts = ADA, collectsMissing = false): PersonScope {
  return new PersonScope(person, { message: MESSAGE, variables: { order: 17 } }, NOW, collectsMissing);
}

/** Renders a template about a person. */
export function render(text: string, person: PersonFacts = ADA): string {
  return parseTemplate(text).render(scopeOf(person));
}

/** Ada with another device. */
export function withDevice(device: Partial<Device>): PersonFacts {
  return { ...ADA, device: { ...(ADA.device as Device), ...device } };
}
