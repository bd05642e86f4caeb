import { findHeadlessShell } from '@postrider/tools/pictures/find-chromium';
import { applicationScenario } from './application.scenario';
import { type PublishedClientStage, startPublishedClientStage } from './published-client-stage';
import { roundsScenario } from './rounds.scenario';

const LAGS_MS = [0, 200];

const chromium = findHeadlessShell();
if (chromium === null) console.warn('The published client is not tested: there is no Chromium here (CHROMIUM_PATH).');

/** One system for all tests, each with applications of its own. */
(chromium === null ? describe.skip : describe)('the published web client', () => {
  let started: PublishedClientStage;
  const stage = (): PublishedClientStage => started;

  beforeAll(async () => {
    started = await startPublishedClientStage(chromium ?? '');
  });
  afterAll(() => started?.stop());

  describe('in an application that uses it, unchanged', () => applicationScenario(stage));
  describe.each(LAGS_MS)('at %s ms of lag', (lagMs) => roundsScenario(stage, lagMs));
});
