import { Client } from 'pg';
import { type Postrider, type Setup, startPostrider } from '../support/postrider';
import { Simulator } from '@postrider/tools/start/simulator';

/** Requests in flight of the one delivery worker: as many devices may hear a message twice per kill, never more. */
export const IN_FLIGHT = 100;

/** The settings of the simulator unless a test changes them. */
const SETTINGS = { latencyMs: 0, inboxSize: 1_000, countedTokens: 100_000 };

/** A whole system and its simulator, on which one campaign is tried after the other. */
export interface CampaignStage {
  postrider: Postrider;
  simulator: Simulator;
  /** Asks the system's database. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Makes the simulator forget everything, and behave as by default. */
  clear(): Promise<void>;
}

/** Starts the system that all campaigns share. */
export async function startStage(setup: Setup = {}): Promise<CampaignStage> {
  const postrider = await startPostrider({ DELIVERY_CONCURRENCY: String(IN_FLIGHT) }, { hasNoEdge: true, ...setup });
  const simulator = new Simulator(postrider.system.simulatorUrl);
  return {
    postrider,
    simulator,
    query: async <Row extends object>(text: string, values: unknown[] = []) => {
      const client = new Client({ connectionString: postrider.database.url });
      await client.connect();
      try {
        return (await client.query<Row>(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    clear: async () => {
      await simulator.reset();
      await simulator.configure(SETTINGS);
    },
  };
}
