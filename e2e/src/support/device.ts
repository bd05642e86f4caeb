import { randomUUID } from 'node:crypto';
import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import type { Api } from '@postrider/tools/start/api';

/** A registered device and the values with which it connects. */
export interface Device {
  userId: string;
  installationId: string;
  clientId: string;
  token: string;
  topics: { own: string; user: string };
}

/** Registers a device over REST. */
export async function register(
  client: Api,
  { appId, token, userId, ...fields }: { appId: string; token: string; userId: string } & Record<string, unknown>,
): Promise<Device> {
  const { body } = await client.call<{ id: string }>('POST', '/api/installations', {
    userId,
    deviceType: 'android',
    realtime: true,
    uniqueId: randomUUID(),
    ...fields,
  });
  return {
    userId,
    installationId: body.id,
    clientId: `${appId}/${userId}/${body.id}`,
    token,
    topics: { own: `app/${appId}/user/${userId}/${body.id}`, user: `app/${appId}/user/${userId}/default` },
  };
}

/** A device that is connected, and the ids of the messages it got, each as often as it got it. */
export interface ConnectedDevice {
  client: MqttClient;
  received: string[];
}

/** Connects a device with the client library, and subscribes as the published client does. */
export async function connectDevice(
  url: string,
  device: Device,
  options: IClientOptions = {},
): Promise<ConnectedDevice> {
  const client = connect(url, {
    clientId: device.clientId,
    username: device.token,
    password: device.token,
    clean: false,
    reconnectPeriod: 200,
    connectTimeout: 5_000,
    ...options,
  });
  const received: string[] = [];
  client.on('message', (_, payload) => {
    received.push((JSON.parse(payload.toString('utf8')) as { id: string }).id);
  });
  client.on('error', () => undefined);
  await new Promise<void>((ready) => client.once('connect', () => ready()));
  await client.subscribeAsync([device.topics.user, device.topics.own], { qos: 1 });
  return { client, received };
}
