import fc from 'fast-check';
import { pacedPageSize, type PaceMark, type PageAtGate, passGate } from './pace';

interface Send {
  lane: 'campaign' | 'transactional';
  rate: number | null;
  devices: number;
}

/**
 * Passes pages of some sends through the gate, each coming at its time, or later by chance.
 * @param preparing how long a worker prepares an admitted page
 * @returns when each was sent
 */
function simulate(
  sends: Send[],
  limit: number | null,
  lateness: () => number,
  preparing: () => number = () => 0,
): { at: number; send: number; size: number }[] {
  const message = sends.map((): PaceMark => ({ nextAt: 0, passedUntil: 0 }));
  let application: PaceMark = { nextAt: 0, passedUntil: 0 };
  const pages = sends.flatMap(({ devices, rate }, send) => {
    const size = pacedPageSize(500, rate === null ? limit : Math.min(rate, limit ?? rate));
    return Array.from({ length: Math.ceil(devices / size) }, () => ({
      send,
      size,
      at: lateness(),
      turn: null as PageAtGate['turn'],
    }));
  });
  const gone: { at: number; send: number; size: number }[] = [];
  while (pages.length > 0) {
    pages.sort((one, other) => one.at - other.at);
    const page = pages[0]!;
    const { lane, rate } = sends[page.send]!;
    const campaigns = new Set(pages.filter(({ send }) => sends[send]!.lane === 'campaign').map(({ send }) => send));
    const answer = passGate({
      now: page.at,
      lane,
      devices: page.size,
      turn: page.turn,
      message: { ...message[page.send]!, perSecond: rate },
      application: limit === null ? null : { ...application, perSecond: limit, sends: Math.max(1, campaigns.size) },
    });
    message[page.send] = answer.message;
    application = answer.application ?? application;
    const { decision } = answer;
    if (decision.kind === 'admitted') {
      const at = Math.max(decision.time.sendsAt, page.at + preparing());
      gone.push({ at, send: page.send, size: page.size });
      pages.shift();
    } else {
      page.turn = decision;
      page.at = decision.at + lateness();
    }
  }
  return gone.sort((one, other) => one.at - other.at);
}

/** Sums of times are not exact. */
const MICROSECOND = 0.001;

/** The most devices that were sent to within any second. */
function busiestSecond(gone: { at: number; size: number }[]): number {
  return Math.max(
    ...gone.map(({ at }) =>
      gone.filter((one) => one.at >= at && one.at < at + 1_000 - MICROSECOND).reduce((sum, { size }) => sum + size, 0),
    ),
  );
}

const total = (gone: { size: number }[]): number => gone.reduce((sum, { size }) => sum + size, 0);

describe('the pace of sends', () => {
  it.each([
    [null, 500],
    [1_000_000, 500],
    [1_000, 100],
    [25, 2],
    [9, 1],
    [1, 1],
  ])('with a limit of %p makes pages of %p', (limit, size) => {
    expect(pacedPageSize(500, limit)).toBe(size);
  });

  it.each([
    ['campaign', 250],
    ['transactional', 0],
  ] as const)(
    'of a %s is never faster than asked for and a page, however many come at once, and no slower',
    (lane, preparing) => {
      fc.assert(
        fc.property(
          fc.integer({ min: 1, max: 2_000 }),
          fc.integer({ min: 0, max: 80 }),
          fc.integer(),
          (rate, late, seed) => {
            let state = seed;
            const lateness = (): number => (state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) % (late + 1);
            const devices = Math.min(rate * 5, 3_000);
            const gone = simulate([{ lane, rate, devices }], null, lateness, () => lateness() % (preparing + 1));
            const size = pacedPageSize(500, rate);
            expect(total(gone)).toBeGreaterThanOrEqual(devices);
            expect(busiestSecond(gone)).toBeLessThanOrEqual(rate + size);
            const span = gone.at(-1)!.at - gone[0]!.at;
            expect(span).toBeLessThanOrEqual((total(gone) / rate) * 1_100 + 3 * late);
          },
        ),
        { numRuns: 60, examples: [[21, 52, 0]] },
      );
    },
  );

  it('is shared evenly by the campaigns of an application', () => {
    const sends = [1, 2, 3].map((): Send => ({ lane: 'campaign', rate: null, devices: 300 }));
    const gone = simulate(sends, 90, () => 3);
    expect(busiestSecond(gone)).toBeLessThanOrEqual(90 + 9);
    const half = gone.filter(({ at }) => at < 5_000);
    const each = sends.map((_, send) => total(half.filter((page) => page.send === send)));
    expect(Math.max(...each) - Math.min(...each)).toBeLessThanOrEqual(18);
    expect(gone.at(-1)!.at).toBeLessThan(12_500);
  });

  it('lets named users pass by campaigns', () => {
    const sends: Send[] = [
      { lane: 'campaign', rate: null, devices: 400 },
      { lane: 'transactional', rate: null, devices: 50 },
    ];
    const gone = simulate(sends, 50, () => 2);
    const named = gone.filter(({ send }) => send === 1);
    expect(named.at(-1)!.at).toBeLessThan(1_700);
    expect(busiestSecond(gone)).toBeLessThanOrEqual(50 + 5);
    expect(gone.at(-1)!.at).toBeLessThan(11_000);
  });

  it('goes on at its own pace after everything stood still, and does not catch up at once', () => {
    const gone = simulate([{ lane: 'campaign', rate: 40, devices: 200 }], null, () => 2);
    expect(gone[0]!.at).toBe(252);
    let calls = 0;
    const after = simulate([{ lane: 'campaign', rate: 40, devices: 200 }], null, () => (calls++ < 50 ? 3_000 : 2));
    expect(after[0]!.at).toBe(3_250);
    expect(busiestSecond(after)).toBeLessThanOrEqual(40 + 4);
    expect(after.at(-1)!.at).toBeLessThan(9_000);
  });

  it('comes through although every page comes late, and keeps to its pace', () => {
    let state = 7;
    const late = (): number => 500 + ((state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) % 2_500);
    const gone = simulate([{ lane: 'campaign', rate: 40, devices: 400 }], 100, late);
    expect(total(gone)).toBe(400);
    expect(busiestSecond(gone)).toBeLessThanOrEqual(40 + 4);
    expect(gone.at(-1)!.at).toBeLessThan(40_000);
    const named = simulate([{ lane: 'transactional', rate: null, devices: 400 }], 40, late);
    expect(busiestSecond(named)).toBeLessThanOrEqual(40 + 4);
    expect(named.at(-1)!.at).toBeLessThan(40_000);
  });
});
