import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import type { TestDevice } from './test-edge';

/** A message as a device got it. */
interface ReceivedMessage {
  topic: string;
  qos: number;
  isRepetition: boolean;
  body: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- a test looks into whatever came
  properties: Record<string, unknown>;
}

/** A device that is connected with a client library. */
export interface TestClient {
  client: MqttClient;
  received: ReceivedMessage[];
  sessionPresent: boolean;
  subscribe(...topics: string[]): Promise<number[]>;
  /** Resolves when this many messages have come in all. */
  until(count: number): Promise<ReceivedMessage[]>;
  close(): Promise<void>;
}

/** Connects a device. @throws the client library's error if it is refused */
export async function connectDevice(
  device: TestDevice,
  address: string,
  options: IClientOptions = {},
): Promise<TestClient> {
  const client = connect(address, {
    clientId: device.clientId,
    username: device.token,
    password: device.token,
    clean: false,
    keepalive: 180,
    reconnectPeriod: 0,
    ...options,
  });
  const received: ReceivedMessage[] = [];
  const waiting: { count: number; resolve: (messages: ReceivedMessage[]) => void }[] = [];
  client.on('message', (topic, payload, { qos, dup, properties }) => {
    const body: unknown = JSON.parse(payload.toString('utf8'));
    received.push({ topic, qos, isRepetition: dup, body, properties: { ...properties } });
    for (const one of waiting) if (received.length >= one.count) one.resolve(received);
  });
  const sessionPresent = await new Promise<boolean>((resolve, reject) => {
    client.once('connect', (packet) => resolve(packet.sessionPresent));
    client.once('error', reject);
    client.once('close', () => reject(new Error('Closed before it was let in')));
  });
  client.on('error', () => undefined);
  return {
    client,
    received,
    sessionPresent,
    subscribe: async (...topics) => {
      const granted = await client.subscribeAsync(topics, { qos: 1 }).catch((error: unknown) => {
        const { packet } = error as { packet?: { granted: number[] } };
        return (packet?.granted ?? []).map((qos) => ({ qos }));
      });
      return granted.map(({ qos }) => qos);
    },
    until: (count) =>
      received.length >= count ? Promise.resolve(received) : new Promise((resolve) => waiting.push({ count, resolve })),
    close: () => client.endAsync(true),
  };
}
