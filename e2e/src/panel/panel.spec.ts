import { messagesScenario } from './messages.scenario';
import { overviewScenario } from './overview.scenario';
import { settingsScenario } from './settings.scenario';
import { composeScenario } from './compose.scenario';
import { guideScenario } from './guide.scenario';
import { importScenario } from './import.scenario';
import { promoScenario } from './promo.scenario';
import { searchScenario } from './search.scenario';
import { segmentsScenario } from './segments.scenario';
import { trackersScenario } from './trackers.scenario';
import { usersScenario } from './users.scenario';
import { findHeadlessShell } from '@postrider/tools/pictures/find-chromium';
import { type PanelHarness, startPanel } from './support/panel-harness';
import { signInScenario } from './sign-in.scenario';

const chromium = findHeadlessShell();
if (chromium === null) console.warn('The panel is not tested: there is no Chromium on this machine (CHROMIUM_PATH).');

/** One system and one browser for all pages: the tests of each page are in its `*.scenario.ts`. */
(chromium === null ? describe.skip : describe)('the panel in a browser', () => {
  let harness: PanelHarness;
  const panel = (): PanelHarness => harness;

  beforeAll(async () => {
    harness = await startPanel(chromium ?? '');
  });

  afterEach(() => harness.closePages());

  afterAll(async () => {
    await harness?.stop();
  });

  describe('sign-in', () => signInScenario(panel));
  describe('overview', () => overviewScenario(panel));
  describe('messages', () => messagesScenario(panel));
  describe('searching', () => searchScenario(panel));
  describe('settings', () => settingsScenario(panel));
  describe('segments', () => segmentsScenario(panel));
  describe('compose', () => composeScenario(panel));
  describe('users', () => usersScenario(panel));
  describe('importing devices', () => importScenario(panel));
  describe('promo codes', () => promoScenario(panel));
  describe('trackers', () => trackersScenario(panel));
  describe('the guide', () => guideScenario(panel));
});
