import type { Api } from '@postrider/tools/start/api';
import { until } from '@postrider/testing';
import { type ConnectedDevice, connectDevice, type Device, register } from '../support/device';
import type { Simulator } from '@postrider/tools/start/simulator';

/** Sends to the former owner continue for some time after the phone belongs to another user. */
const SENDS_AFTERWARDS = 3;
/** A CONNACK's return code (MQTT 3.1.1 §3.2.2.3). */
const NOT_AUTHORIZED = 5;

/** The system in which a phone is passed on. */
interface PassOnStage {
  appId: string;
  server: Api;
  client: Api;
  simulator: Simulator;
  mqttUrl: string;
  token: string;
}

/** The result of passing a phone on while messages are sent to its former owner without a pause. */
export interface PassedOn {
  sends: number;
  /** Messages for the former owner that came over their connection, before it was closed. */
  overFormerConnection: number;
  /** Pushes for the former owner that the push service had taken by the time the change was answered. */
  pushedBefore: number;
  /** Messages of the former owner that reached the new one, or left for them. */
  leaks: string[];
}

/** Passes a phone on. @param isConnected true if the former owner holds a connection; else they are sent to by push */
export async function passOn(stage: PassOnStage, number: number, isConnected: boolean): Promise<PassedOn> {
  const { appId, server, client, mqttUrl, token } = stage;
  const [former, heir] = [`former-${number}`, `heir-${number}`];
  const deviceToken = `passed-on-${number}`;
  const device = await register(client, { appId, token, userId: former, deviceToken });
  const formerly = isConnected ? await connectDevice(mqttUrl, device) : null;
  const isOver = closing(formerly);
  const sending = sendWithoutPause(server, former);
  await sending.until(1 + (number % 7));
  const fields = { userId: heir, deviceType: 'android', deviceToken, realtime: true };
  await client.call('PUT', `/api/installations/${device.installationId}`, fields);
  const answeredAt = Date.now();
  const later = await connectDevice(mqttUrl, ofUser(device, appId, heir));
  await sending.until(sending.count + SENDS_AFTERWARDS);
  const formerIds = new Set(await sending.stop());
  const { headers } = await server.call('POST', '/api/push/toUsers', { user: heir, content: 'yours' });
  const own = headers.get('x-message-id') ?? '';
  await until(() => Promise.resolve(later.received.includes(own)));
  await isOver;
  const overFormerConnection = formerly?.received.length ?? 0;
  await later.client.endAsync();
  const path = `/api/installations/${device.installationId}/inbox`;
  const kept = (await client.call<{ messages: { id: string }[] }>('GET', path)).body.messages.map(({ id }) => id);
  const pushed = (await stage.simulator.inboxOf(deviceToken)).filter(({ body }) => body !== 'yours');
  const late = pushed.filter(({ acceptedAt }) => Date.parse(acceptedAt) > answeredAt);
  return {
    sends: formerIds.size,
    overFormerConnection,
    pushedBefore: pushed.length - late.length,
    leaks: [
      ...later.received.filter((id) => formerIds.has(id)).map((id) => `${heir} received ${id}`),
      ...kept.filter((id) => formerIds.has(id)).map((id) => `${heir} keeps ${id}`),
      ...late.map(({ acceptedAt }) => `${heir} was pushed to at ${acceptedAt}, and was the owner at ${answeredAt}`),
    ],
  };
}

/**
 * Resolves when the edge has closed the connection and refuses it.
 *
 * @throws Error when anything came over it, or over another one of the same name, after it was closed
 */
async function closing(connected: ConnectedDevice | null): Promise<void> {
  if (connected === null) return;
  const { client, received } = connected;
  const story: string[] = [];
  client.on('connect', () => story.push(`let in after ${received.length} messages`));
  client.on('close', () => story.push(`closed after ${received.length} messages`));
  await new Promise<void>((refused) =>
    client.on('error', (error) => {
      const code = 'code' in error ? error.code : null;
      story.push(`error ${code}`);
      if (code === NOT_AUTHORIZED) refused();
    }),
  );
  client.end(true);
  const isLetInAgain = story.some((line) => line.startsWith('let in'));
  if (isLetInAgain || story[0] !== `closed after ${received.length} messages`) throw new Error(story.join(', '));
}

function ofUser(device: Device, appId: string, userId: string): Device {
  const { installationId } = device;
  const topics = { own: `app/${appId}/user/${userId}/${installationId}`, user: `app/${appId}/user/${userId}/default` };
  return { ...device, userId, clientId: `${appId}/${userId}/${installationId}`, topics };
}

/** Sends to a user, one request after the other, until it is stopped. */
function sendWithoutPause(
  server: Api,
  user: string,
): { count: number; until(count: number): Promise<void>; stop(): Promise<string[]> } {
  const ids: string[] = [];
  let isStopped = false;
  const running = (async () => {
    while (!isStopped) {
      const { headers } = await server.call('POST', '/api/push/toUsers', { user, content: `to ${user}` });
      ids.push(headers.get('x-message-id') ?? '');
    }
  })();
  return {
    get count() {
      return ids.length;
    },
    until: async (count) => {
      await until(() => Promise.resolve(ids.length >= count), 5);
    },
    stop: async () => {
      isStopped = true;
      await running;
      return ids;
    },
  };
}
