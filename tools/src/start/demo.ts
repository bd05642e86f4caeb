import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../services/write-whole';
import { Api } from './api';

/** The application that `npm start` makes for a newcomer to play with. */
export interface Demo {
  appId: string;
  serverToken: string;
  clientToken: string;
  /** The progress of filling its history; absent: not begun. */
  history?: { until: string; isFilled: boolean };
}

/** The vendor credentials that the simulator accepts, as the admin API takes them. */
export interface SimulatorCredentials {
  [vendor: string]: Record<string, unknown>;
}

const APP_ID = 'demo';

/** Three people and their devices; the tokens are the simulator's. */
const DEVICES = [
  {
    userId: 'ada',
    deviceType: 'android',
    token: 'demo-ada-pixel',
    osVersion: '15',
    deviceModel: 'Pixel 9',
    locale: 'en-GB',
  },
  {
    userId: 'ada',
    deviceType: 'ios',
    token: 'a0da'.repeat(16),
    osVersion: '18.1',
    deviceModel: 'iPad',
    locale: 'en-GB',
  },
  {
    userId: 'omid',
    deviceType: 'android',
    token: 'demo-omid-galaxy',
    osVersion: '14',
    deviceModel: 'Galaxy S24',
    locale: 'fa-IR',
  },
  {
    userId: 'mei',
    deviceType: 'ios',
    token: '3e1d'.repeat(16),
    osVersion: '17.6',
    deviceModel: 'iPhone 15',
    locale: 'zh-TW',
  },
];

/** Finds the demo application and its tokens, or makes them; connects it to the simulator; registers its devices. */
export async function obtainDemo(
  gatewayUrl: string,
  adminToken: string,
  dataDir: string,
  simulator: SimulatorCredentials,
): Promise<Demo> {
  const admin = new Api(gatewayUrl, adminToken);
  const demo = await obtainApplication(admin, dataDir);
  for (const vendor of ['fcm', 'apns']) {
    await admin.call('PUT', `/api/admin/apps/${APP_ID}/vendors/${vendor}`, simulator[vendor]);
  }
  const client = new Api(gatewayUrl, demo.clientToken);
  for (const { userId, deviceType, token, ...rest } of DEVICES) {
    await client.call('POST', '/api/installations', {
      userId,
      deviceType,
      deviceToken: token,
      clientVersion: '2.4.0',
      ...rest,
    });
  }
  return demo;
}

const fileOf = (dataDir: string): string => join(dataDir, 'demo.json');

/** Stores the facts of the demo application for the next start. */
export async function saveDemo(dataDir: string, demo: Demo): Promise<void> {
  await writeWhole(fileOf(dataDir), `${JSON.stringify(demo, null, 2)}\n`);
}

async function obtainApplication(admin: Api, dataDir: string): Promise<Demo> {
  const file = fileOf(dataDir);
  const saved = await readFile(file, 'utf8').catch(() => null);
  const exists = (await admin.find(`/api/admin/apps/${APP_ID}`)) !== null;
  if (saved !== null && exists) return JSON.parse(saved) as Demo;
  const demo = exists ? await makeTokens(admin) : await makeApplication(admin);
  await saveDemo(dataDir, demo);
  return demo;
}

async function makeApplication(admin: Api): Promise<Demo> {
  const made = await admin.call<{ tokens: { server: string; client: string } }>('POST', '/api/admin/apps', {
    id: APP_ID,
    name: 'Postrider demo',
    // The published web client, which names no installation when it tags, can be tried on it.
    clientTags: 'any',
  });
  return { appId: APP_ID, serverToken: made.body.tokens.server, clientToken: made.body.tokens.client };
}

/** The database has the application and we have lost its tokens (they are stored as hashes): it gets new ones. */
async function makeTokens(admin: Api): Promise<Demo> {
  const make = async (name: string, scope: string): Promise<string> => {
    const made = await admin.call<{ token: string }>('POST', `/api/admin/apps/${APP_ID}/tokens`, {
      name,
      scopes: [scope],
    });
    return made.body.token;
  };
  return {
    appId: APP_ID,
    serverToken: await make('demo server', 'server'),
    clientToken: await make('demo client', 'devices'),
  };
}
