import { applicationApi } from './client';
import { gatewayNow, inGatewayTime, noteGatewayTime } from './gateway-clock';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const DAY_MS = 86_400_000;

describe('the clock of the gateway', () => {
  let here: jest.SpyInstance<number>;

  beforeEach(() => {
    here = jest.spyOn(Date, 'now');
  });

  afterEach(() => {
    here.mockRestore();
    noteGatewayTime(new Date(Date.now()).toUTCString(), Date.now());
    jest.restoreAllMocks();
  });

  it.each([1, -1])('is followed where the clock of the browser is wrong by %i day', async (days) => {
    here.mockReturnValue(NOON + days * DAY_MS);
    const headers = { date: new Date(NOON).toUTCString() };
    jest.spyOn(globalThis, 'fetch').mockImplementation(() => Promise.resolve(Response.json({}, { headers })));
    await applicationApi('shop', 'http://gateway.example').GET('/api/webhooks');
    expect(gatewayNow()).toBe(NOON);
    expect(inGatewayTime(NOON + days * DAY_MS - 5_000)).toBe(NOON - 5_000);
  });

  it('is no other one than the browser’s for what an answer takes', () => {
    here.mockReturnValue(NOON);
    noteGatewayTime(new Date(NOON - 60_000).toUTCString(), NOON - 60_000);
    expect(gatewayNow()).toBe(NOON);
  });

  it('is not told by an answer that came while the machine slept, nor by one without a date', () => {
    here.mockReturnValue(NOON);
    noteGatewayTime(new Date(NOON - DAY_MS).toUTCString(), NOON - DAY_MS);
    noteGatewayTime(null, NOON);
    noteGatewayTime('soon', NOON);
    expect(gatewayNow()).toBe(NOON);
  });
});
