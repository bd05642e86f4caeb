import { type Postrider, startPostrider } from '../support/postrider';
import { faultsScenario } from './faults.scenario';
import { importsScenario } from './imports.scenario';

/** Retries that wait a fiftieth of their time, and dead tokens that are switched off after seconds. */
const QUICKLY = { DELIVERY_CONCURRENCY: '200', RETRY_TIME_SCALE: '0.02', DEAD_TOKEN_DELAY_SECONDS: '2' };

/** One system for all that a vendor's answers do, each with an application of its own. */
describe('vendors', () => {
  let started: Postrider;
  const system = (): Postrider => started;

  beforeAll(async () => {
    started = await startPostrider(QUICKLY, { hasNoEdge: true });
  });
  afterAll(() => started?.stop());

  describe('one that misbehaves', () => faultsScenario(system));
  describe('an import', () => importsScenario(system));
});
