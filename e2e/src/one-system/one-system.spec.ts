import { type Postrider, startPostrider } from '../support/postrider';
import { changeOfHandsScenario } from './change-of-hands.scenario';
import { demonstrationScenario } from './demonstration.scenario';
import { erasureScenario } from './erasure.scenario';
import { promoCodesScenario } from './promo-codes.scenario';

/** What needs no system of its own: each has an application, and starting a system takes longer than most of them. */
describe('a system that many use', () => {
  let started: Postrider;
  const system = (): Postrider => started;

  beforeAll(async () => {
    started = await startPostrider({ LOG_LEVEL: 'debug' }, { hasPromo: true });
  });
  afterAll(() => started?.stop());

  describe('phones that change hands while their former owners are sent to without a pause', () =>
    changeOfHandsScenario(system));
  describe('a user who is erased', () => erasureScenario(system));
  describe('the demonstration', () => demonstrationScenario(system));
  describe('promo codes', () => promoCodesScenario(system));
});
