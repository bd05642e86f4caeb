import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole } from '../../services/write-whole';
import { Api, ApiRefusal } from '../api';

/** The application that `npm start` makes for a newcomer. */
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

/** No installation has this id. */
const NO_INSTALLATION = '00000000-0000-0000-0000-000000000000';

/**
 * Finds the demo application and its tokens, or makes them; connects it to the simulator; registers its devices. Tokens that were
 * revoked, or that are of another database, are replaced.
 * @throws ApiRefusal if the gateway refuses something, but for a device of an application that somebody has set to refuse it
 */
export async function obtainDemo(
  gatewayUrl: string,
  adminToken: string,
  dataDir: string,
  simulator: SimulatorCredentials,
): Promise<Demo> {
  const admin = new Api(gatewayUrl, adminToken);
  const { demo, isNew } = await obtainApplication(admin, gatewayUrl, dataDir);
  for (const vendor of ['fcm', 'apns']) {
    await admin.call('PUT', `/api/admin/apps/${APP_ID}/vendors/${vendor}`, simulator[vendor]);
  }
  await followSimulator(admin, simulator);
  await registerDevices(new Api(gatewayUrl, demo.clientToken)).catch((error: unknown) => {
    // Its settings may ask for a proof of each user by now (`requireUserHash`).
    if (isNew || !isRefusal(error)) throw error;
    console.error(`The demo application refuses its devices: ${error.message}`);
  });
  return demo;
}

/** The vendors that the demonstration connects later, by the setting that says whose account it is. */
const LATER_VENDORS = { hms: 'appId', sms: 'accountSid' } as const;

/** Tells the gateway where the simulator is by now, for those of its accounts that were stored when it had another port or address. */
async function followSimulator(admin: Api, simulator: SimulatorCredentials): Promise<void> {
  const stored = await admin.call<Record<string, unknown>[]>('GET', `/api/admin/apps/${APP_ID}/vendors`);
  for (const [vendor, account] of Object.entries(LATER_VENDORS)) {
    const current = simulator[vendor];
    const known = stored.body.find((one) => one.vendor === vendor);
    if (current === undefined || known?.[account] !== current[account] || known?.endpoint === current.endpoint)
      continue;
    await admin.call('PUT', `/api/admin/apps/${APP_ID}/vendors/${vendor}`, current);
  }
}

async function registerDevices(client: Api): Promise<void> {
  for (const { userId, deviceType, token, ...rest } of DEVICES) {
    await client.call('POST', '/api/installations', {
      userId,
      deviceType,
      deviceToken: token,
      clientVersion: '2.4.0',
      ...rest,
    });
  }
}

const fileOf = (dataDir: string): string => join(dataDir, 'demo.json');

/** Stores the facts of the demo application for the next start. */
export async function saveDemo(dataDir: string, demo: Demo): Promise<void> {
  await writeWhole(fileOf(dataDir), `${JSON.stringify(demo, null, 2)}\n`);
}

async function obtainApplication(
  admin: Api,
  gatewayUrl: string,
  dataDir: string,
): Promise<{ demo: Demo; isNew: boolean }> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => null);
  const isNew = (await admin.find(`/api/admin/apps/${APP_ID}`)) === null;
  const saved = text === null || isNew ? null : (JSON.parse(text) as Demo);
  if (saved !== null && (await areValid(gatewayUrl, saved))) return { demo: saved, isNew };
  const made = isNew ? await makeApplication(admin) : await makeTokens(admin);
  const demo = saved?.history === undefined ? made : { ...made, history: saved.history };
  await saveDemo(dataDir, demo);
  return { demo, isNew };
}

/** True if the gateway knows both tokens: a person may have revoked one, or the file may be about another database. */
async function areValid(gatewayUrl: string, { serverToken, clientToken }: Demo): Promise<boolean> {
  try {
    await new Api(gatewayUrl, serverToken).call('GET', '/api/push/messages?limit=1');
    await new Api(gatewayUrl, clientToken).find(`/api/installations/${NO_INSTALLATION}`);
    return true;
  } catch (error) {
    if (isRefusal(error)) return false;
    throw error;
  }
}

function isRefusal(error: unknown): error is ApiRefusal {
  return error instanceof ApiRefusal && [401, 403].includes(error.status);
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

/** Makes new tokens for an application whose tokens were lost: the database has only their hashes. */
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
