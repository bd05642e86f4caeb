import { DAY_MS } from '@postrider/domain';
import { Secret } from '@postrider/platform';
import { createDataSource, type Executor, PartitionsRepository, rows, sql } from '@postrider/persistence';
import { Api } from '../api';
import type { Demo, SimulatorCredentials } from './demo-application';
import { connectVendors, type DemoCallers, fillSegments, fillTexts, fillTrackers, sendToday } from './fill-nouns';
import { fillPeople } from './fill-people';
import { type LiveDemo, tellSimulator } from './live-demo';
import { planPast } from './past-plan';
import { drawPeople } from './people';
import { phonesOf } from './phones-of';
import { randomFrom } from './random';
import { writePastMessage } from './write-past-message';

/** The place that the demonstration fills. */
export interface DemoPlace {
  databaseUrl: string;
  gatewayUrl: string;
  simulatorUrl: string;
  simulator: SimulatorCredentials;
  adminToken: string;
  demo: Demo;
  signal: AbortSignal;
  /** The number of devices; default: the usual number. */
  devices?: number;
}

/** The progress of filling, which survives an interruption. */
export interface FillProgress {
  /** The moment up to which there is a history; null: not begun. */
  until: string | null;
  isFilled: boolean;
  save(progress: { until: string; isFilled: boolean }): Promise<void>;
}

const DEVICES = 2_000;
const DAYS = 28;
/** Browsers among the devices get subscriptions of the simulator: more than there will be. */
const SUBSCRIPTIONS_SHARE = 0.12;
/** An application with this many devices belongs to a person. */
const FEW_DEVICES = 50;
const SEED = 1;

/**
 * Fills a fresh demo application with people, their devices and four weeks of history, and sends today's messages
 * through the product itself. Safe to repeat: existing parts are not written again, and an application that a person
 * uses already is left as it is.
 * @returns true if it is filled now
 */
export async function fillDemo(place: DemoPlace, progress: FillProgress): Promise<boolean> {
  const dataSource = await openDatabase(place.databaseUrl);
  try {
    if (progress.isFilled) return true;
    if (progress.until === null && (await isInUse(dataSource, place.demo.appId))) return false;
    const until = new Date(progress.until ?? Date.now());
    await progress.save({ until: until.toISOString(), isFilled: false });
    await fillOnce(dataSource, place, until);
    if (place.signal.aborted) return false;
    await progress.save({ until: until.toISOString(), isFilled: true });
    return true;
  } finally {
    await dataSource.destroy();
  }
}

/** The database as the demonstration uses it: two connections. */
export function openDatabase(databaseUrl: string): Promise<LiveDemo['dataSource']> {
  return createDataSource(new Secret(databaseUrl), 2, { applicationName: 'demo' }).initialize();
}

async function fillOnce(dataSource: LiveDemo['dataSource'], place: DemoPlace, until: Date): Promise<void> {
  const { demo, gatewayUrl, signal } = place;
  const callers: DemoCallers = {
    appId: demo.appId,
    admin: new Api(gatewayUrl, place.adminToken),
    server: new Api(gatewayUrl, demo.serverToken),
    gatewayUrl,
    serverToken: demo.serverToken,
  };
  await connectVendors(callers, place.simulator);
  const past = planPast(until);
  const deaths = past.filter(({ audience }) => audience.kind === 'everyone').map(({ at }) => at);
  if (!(await isInUse(dataSource, demo.appId))) {
    const people = drawPeople(place.devices ?? DEVICES, until, randomFrom(SEED), await subscribe(place));
    await fillPeople(place.databaseUrl, demo.appId, people, deaths);
  }
  await fillSegments(dataSource, callers, until);
  await fillTrackers(dataSource, callers, until);
  await fillTexts(callers);
  await new PartitionsRepository(dataSource).ensure(new Date(until.getTime() - (DAYS - 1) * DAY_MS), DAYS);
  const written = await readWritten(dataSource, demo.appId);
  for (const message of past) {
    if (signal.aborted) return;
    if (!written.has(message.clientId)) await writePastMessage(dataSource, demo.appId, message, until);
  }
  const live = { ...place, clientToken: demo.clientToken, dataSource, appId: demo.appId, server: callers.server };
  await tellSimulator(live, await phonesOf(dataSource, demo.appId, DEVICES));
  await sendToday(callers, until);
}

async function isInUse(executor: Executor, appId: string): Promise<boolean> {
  const found = await rows(executor, sql`SELECT 1 FROM installations WHERE app_id = ${appId} LIMIT ${FEW_DEVICES}`);
  return found.length >= FEW_DEVICES;
}

async function readWritten(executor: Executor, appId: string): Promise<Set<string>> {
  const found = await rows<{ clientId: string }>(
    executor,
    sql`SELECT client_id AS "clientId" FROM messages WHERE app_id = ${appId} AND client_id LIKE 'history-%'`,
  );
  return new Set(found.map(({ clientId }) => clientId));
}

/** Subscriptions of browsers, as tokens of installations. */
async function subscribe({ simulatorUrl, simulator, devices = DEVICES }: DemoPlace): Promise<string[]> {
  const count = Math.ceil(devices * SUBSCRIPTIONS_SHARE);
  const answer = await fetch(`${simulatorUrl}/control/webpush/subscriptions`, {
    method: 'POST',
    body: JSON.stringify({ count, applicationServerKey: simulator.webpush?.publicKey }),
  });
  const made = (await answer.json()) as { endpoint: string; keys: object }[];
  return made.map(({ endpoint, keys }) => JSON.stringify({ endpoint, expirationTime: null, keys }));
}
