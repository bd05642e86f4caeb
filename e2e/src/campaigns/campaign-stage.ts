import { rows } from '@postrider/persistence';
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
    // By the connections of the test, which stay: a new one reads every partition from the catalogue before it answers.
    query: <Row extends object>(text: string, values: unknown[] = []) =>
      rows<Row>(postrider.database.dataSource, text, values),
    clear: async () => {
      await simulator.reset();
      await simulator.configure(SETTINGS);
    },
  };
}
