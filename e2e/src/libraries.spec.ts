import { findChromium } from '@postrider/tools/pictures/find-chromium';
import { cliScenario } from './cli/cli.scenario';
import { clientInABrowserScenario } from './client/client-in-a-browser.scenario';
import { clientInNodeScenario } from './client/client-in-node.scenario';
import { clientInReactNativeScenario } from './client/client-in-react-native.scenario';
import { type Postrider, startPostrider } from './support/postrider';

const chromium = findChromium();
if (chromium === null) console.warn('The client is not tested in a browser: there is no Chromium here.');

/** One system for the command line and the clients of all places, each with an application of its own. */
describe('what developers use', () => {
  let postrider: Postrider;
  const system = (): Postrider => postrider;

  beforeAll(async () => {
    postrider = await startPostrider({}, { hasPromo: true });
  });
  afterAll(() => postrider?.stop());

  // First: it says how the whole system is.
  describe('postrider on the command line', () => cliScenario(system));
  describe('the client of a device in Node.js', () => clientInNodeScenario(system));
  describe('the client where there is no browser: React Native and Capacitor', () =>
    clientInReactNativeScenario(system));
  (chromium === null ? describe.skip : describe)('the client of the example page', () =>
    clientInABrowserScenario(system, chromium ?? ''),
  );
});
