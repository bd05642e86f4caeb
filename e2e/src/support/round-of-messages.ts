import { setTimeout as pause } from 'node:timers/promises';
import type { Api } from '@postrider/tools/start/api';
import { until } from '@postrider/testing';
import { type ConnectedDevice, connectDevice, type Device } from './device';

const LEAST_MESSAGES = 300;
const MOST_MESSAGES = 400;
/** The most messages in one request: an array makes each of its elements a message. */
const MOST_IN_A_REQUEST = 10;

/** The settings of a round. */
export interface Round {
  server: Api;
  mqttUrl: string;
  device: Device;
  /** True if messages are sent while the device connects, and wait in its inbox. */
  isSentToBeforehand: boolean;
  /** Over which time the messages are spread; 0: as fast as they are accepted. */
  lastsMs: number;
}

/** The messages that a device received in a round. */
export interface RoundResult {
  messages: number;
  missing: number;
  /** Messages that came again. */
  repeats: number;
  /** Messages that came, for the first time, after one that was accepted later. */
  disordered: number;
  connections: number;
}

/** Sends some hundred messages to one device at QoS 1, one request after the other, over one connection of its own. */
export async function playRound({ server, mqttUrl, device, isSentToBeforehand, lastsMs }: Round): Promise<RoundResult> {
  const messages = LEAST_MESSAGES + Math.floor(Math.random() * (MOST_MESSAGES - LEAST_MESSAGES + 1));
  const connecting = connectDevice(mqttUrl, device);
  if (!isSentToBeforehand) await connecting;
  const sent = await sendAll(server, device, messages, lastsMs);
  const connected = await connecting;
  let connections = 1;
  connected.client.on('connect', () => connections++);
  await until(() => Promise.resolve(new Set(connected.received).size === messages));
  // One second is longer than the rest of an edge's round takes beside its pages.
  if (lastsMs > 0) await pause(2_000);
  await connected.client.endAsync();
  return { messages, connections, ...compare(sent, connected) };
}

/** Returns the results of all rounds together. */
export function sumUp(results: readonly RoundResult[]): RoundResult & { rounds: number } {
  const sums = { rounds: results.length, messages: 0, missing: 0, repeats: 0, disordered: 0, connections: 0 };
  for (const one of results) {
    for (const name of ['messages', 'missing', 'repeats', 'disordered', 'connections'] as const)
      sums[name] += one[name];
  }
  return sums;
}

async function sendAll(server: Api, { userId }: Device, messages: number, lastsMs: number): Promise<string[]> {
  const startedAt = performance.now();
  const sent: string[] = [];
  while (sent.length < messages) {
    const many = Math.min(messages - sent.length, 1 + Math.floor(Math.random() * MOST_IN_A_REQUEST));
    const body = Array.from({ length: many }, (_, n) => ({ user: userId, content: `number ${sent.length + n}` }));
    const { headers } = await server.call('POST', '/api/push/toUsers', body);
    sent.push(...(headers.get('x-message-id') ?? '').split(','));
    const dueAt = startedAt + (lastsMs * sent.length) / messages;
    await pause(Math.max(0, dueAt - performance.now()));
  }
  return sent;
}

function compare(
  sent: readonly string[],
  { received }: ConnectedDevice,
): Omit<RoundResult, 'messages' | 'connections'> {
  const firsts = [...new Set(received)];
  return {
    missing: sent.filter((id) => !received.includes(id)).length,
    repeats: received.length - firsts.length,
    disordered: firsts.filter((id, place) => place > 0 && sent.indexOf(id) < sent.indexOf(firsts[place - 1] ?? ''))
      .length,
  };
}
