import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@postrider/persistence';
import { type Phone, phonesOf } from './phones-of';
import type { Api } from '../api';

const PERSONAL = [
  { trackId: 'parcel', title: 'Your parcel is on its way', body: 'It comes tomorrow between 9 and 12.' },
  { trackId: 'sign-in', title: 'New sign-in', body: 'Somebody signed in to your account. Was it you?' },
  { trackId: 'receipt', title: 'Thank you for your order', body: 'Your receipt is in the app.' },
  { trackId: 'friend', title: 'Omid liked your list', body: 'See who else did.' },
];

/** What the live part of the demonstration needs. */
export interface LiveDemo {
  dataSource: Database;
  appId: string;
  server: Api;
  gatewayUrl: string;
  simulatorUrl: string;
  clientToken: string;
  signal: AbortSignal;
}

const EVERY_MS = 20_000;
const MOST_PHONES = 5_000;
const PHONES_EVERY = 3;

/**
 * Sends a person a message from time to time, until it is told to stop. It also tells the simulator about its phones,
 * again and again, because new phones come and a restarted simulator knows none.
 */
export async function keepAlive(live: LiveDemo): Promise<void> {
  for (let beat = 0; !live.signal.aborted; beat++) {
    await beatOnce(live, beat).catch(() => undefined); // a process that is being restarted must not end the demonstration
    await pause(EVERY_MS, undefined, { signal: live.signal }).catch(() => undefined);
  }
}

async function beatOnce(live: LiveDemo, beat: number): Promise<void> {
  const phones = await phonesOf(live.dataSource, live.appId, MOST_PHONES);
  if (beat % PHONES_EVERY === 0) await tellSimulator(live, phones);
  const phone = phones[Math.floor(Math.random() * phones.length)];
  const { trackId, ...notification } = PERSONAL[beat % PERSONAL.length] as (typeof PERSONAL)[number];
  if (phone === undefined) return;
  const message = { user: phone.userId, content: notification.body, trackId, notification };
  await live.server.call('POST', '/api/push/toUsers', message);
}

/** Tells the simulator about its phones. @throws if it does not accept them */
export async function tellSimulator(live: LiveDemo, phones: readonly Phone[]): Promise<void> {
  const { simulatorUrl, gatewayUrl: gateway, clientToken: accessToken } = live;
  const body = JSON.stringify({ gateway, accessToken, phones, react: true });
  const answer = await fetch(`${simulatorUrl}/phones`, { method: 'PUT', body, signal: live.signal });
  if (!answer.ok) throw new Error(`The simulator took no phones: ${answer.status} ${await answer.text()}`);
}
