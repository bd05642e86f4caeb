import { Api } from '../api';
import { saveDemo } from './demo-application';
import { type DemoPlace, fillDemo, openDatabase } from './fill-demo';
import { keepAlive } from './live-demo';
import { moveSubscriptions } from './move-subscriptions';

/** The options of the demonstration. */
interface DemoToRun extends Omit<DemoPlace, 'signal'> {
  dataDir: string;
}

/**
 * Fills the demo application in the background, once. From then on its people get messages, and their phones report.
 * An error is printed and ends the demonstration, nothing else.
 *
 * @returns what ends it
 */
export function runDemo(place: DemoToRun): () => Promise<void> {
  const stop = new AbortController();
  const running = live(place, stop.signal).catch((error: unknown) => {
    if (!stop.signal.aborted)
      console.error(`The demonstration ended: ${error instanceof Error ? error.message : String(error)}`);
  });
  return async () => {
    stop.abort();
    await running;
  };
}

async function live(place: DemoToRun, signal: AbortSignal): Promise<void> {
  const { demo, dataDir, databaseUrl, gatewayUrl, simulatorUrl } = place;
  const wasFilled = demo.history?.isFilled === true;
  const isFilled = await fillDemo(
    { ...place, signal },
    {
      until: demo.history?.until ?? null,
      isFilled: wasFilled,
      save: (history) => saveDemo(dataDir, { ...demo, history }),
    },
  );
  if (!isFilled) return;
  if (!wasFilled) console.log('The demo application has its people and its history.');
  const dataSource = await openDatabase(databaseUrl);
  try {
    const server = new Api(gatewayUrl, demo.serverToken);
    const { appId, clientToken } = demo;
    await moveSubscriptions(dataSource, appId, String(place.simulator.hms?.endpoint));
    await keepAlive({ dataSource, appId, server, gatewayUrl, simulatorUrl, clientToken, signal });
  } finally {
    await dataSource.destroy();
  }
}
