import { findChromium } from '@postrider/tools/pictures/find-chromium';
import { type Postrider, startPostrider } from '../support/postrider';
import { clientInABrowserScenario } from './client-in-a-browser.scenario';
import { clientInNodeScenario } from './client-in-node.scenario';
import { clientInReactNativeScenario } from './client-in-react-native.scenario';

const chromium = findChromium();
if (chromium === null) console.warn('The client is not tested in a browser: there is no Chromium here.');

/** One system for the clients of all places, each with an application of its own. */
describe('the client', () => {
  let postrider: Postrider;
  const system = (): Postrider => postrider;

  beforeAll(async () => {
    postrider = await startPostrider();
  });
  afterAll(() => postrider?.stop());

  describe('of a device in Node.js', () => clientInNodeScenario(system));
  describe('where there is no browser: React Native and Capacitor', () => clientInReactNativeScenario(system));
  (chromium === null ? describe.skip : describe)('of the example page', () =>
    clientInABrowserScenario(system, chromium ?? ''),
  );
});
