import fc from 'fast-check';
import {
  type AdmissionAnswer,
  pacedPageSize,
  type PaceMark,
  type PageToAdmit,
  admitPage,
  takeAnotherTime,
} from './pace';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../time';
import { SendSlots, type SendTime } from './send-slots';

interface Send {
  lane: 'campaign' | 'transactional';
  rate: number | null;
  devices: number;
  /** The devices of its pages; left out: as many as a page of a send with a rate has. */
  pageSize?: number;
}

/** A page: it asks to be admitted at `at`, or its worker looks if its next devices may be sent to. */
interface SimulatedPage {
  send: number;
  size: number;
  at: number;
  turn: PageToAdmit['turn'];
  slots: SendSlots | null;
  missed: number;
}

interface Chances {
  /** How much later a page comes than it may. */
  lateness(): number;
  /** How long a worker prepares an admitted page. */
  preparing(): number;
  /** How much later a worker looks at its page than it wants to. */
  delay(): number;
}

/** Moments at which devices of a send were sent to. */
interface Sent {
  at: number;
  send: number;
  size: number;
}

/** The limits of some sends, as workers use them. */
class Simulation {
  readonly sent: Sent[] = [];
  readonly #message: PaceMark[];
  #application: PaceMark = { nextAt: 0, passedUntil: 0 };
  readonly #pages: SimulatedPage[];

  constructor(
    private readonly sends: Send[],
    private readonly limit: number | null,
    private readonly chances: Chances,
  ) {
    this.#message = sends.map(() => ({ nextAt: 0, passedUntil: 0 }));
    this.#pages = sends.flatMap(({ devices, rate, pageSize }, send) => {
      const size = pageSize ?? pacedPageSize(500, rate === null ? limit : Math.min(rate, limit ?? rate));
      const pages = Array.from({ length: Math.ceil(devices / size) }, () => ({ send, size, at: chances.lateness() }));
      return pages.map((page): SimulatedPage => ({ ...page, turn: null, slots: null, missed: 0 }));
    });
  }

  run(): Sent[] {
    while (this.#pages.length > 0) {
      this.#pages.sort((one, other) => one.at - other.at);
      const page = this.#pages[0]!;
      if (page.slots === null) this.#admit(page);
      else this.#send(page, page.slots);
      if (page.size === 0) this.#pages.shift();
    }
    return this.sent.sort((one, other) => one.at - other.at);
  }

  #admit(page: SimulatedPage): void {
    const { decision } = this.#ask(page, admitPage);
    if (decision.kind === 'admitted') {
      page.slots = new SendSlots(decision.time);
      page.at = Math.max(decision.time.sendsAt, page.at + this.chances.preparing()) + this.chances.delay();
    } else {
      page.turn = decision;
      page.at = decision.at + this.chances.lateness();
    }
  }

  #send(page: SimulatedPage, slots: SendSlots): void {
    const { at, send } = page;
    let size = 0;
    for (; page.size > 0 && slots.waitMs(at) === 0; page.size--, size++) slots.use();
    if (size > 0) this.sent.push({ at, send, size });
    const waitMs = slots.waitMs(at);
    if (waitMs === null && page.size > 0) {
      page.missed = slots.isUsed ? 0 : page.missed + 1;
      const { decision } = this.#ask(page, (asking) => takeAnotherTime(asking, page.missed));
      page.slots = new SendSlots(decision.time);
      page.at = decision.time.sendsAt + this.chances.delay();
    } else page.at = at + (waitMs ?? 0) + this.chances.delay();
  }

  #ask<Answer extends AdmissionAnswer>(page: SimulatedPage, answerOf: (asking: PageToAdmit) => Answer): Answer {
    const { lane, rate } = this.sends[page.send]!;
    const campaigns = new Set(
      this.#pages.filter(({ send }) => this.sends[send]!.lane === 'campaign').map(({ send }) => send),
    );
    const application =
      this.limit === null ? null : { ...this.#application, perSecond: this.limit, sends: Math.max(1, campaigns.size) };
    const answer = answerOf({
      ...{ now: page.at, lane, devices: page.size, turn: page.turn, application },
      message: { ...this.#message[page.send]!, perSecond: rate },
    });
    this.#message[page.send] = answer.message;
    this.#application = answer.application ?? this.#application;
    return answer;
  }
}

/** Has the pages of some sends admitted. @returns when their devices were sent to */
function simulate(sends: Send[], limit: number | null, lateness: () => number, chances: Partial<Chances> = {}): Sent[] {
  return new Simulation(sends, limit, { lateness, preparing: () => 0, delay: () => 0, ...chances }).run();
}

/** Numbers by chance, from 0 to `most`. */
function chance(seed: number): (most: number) => number {
  let state = seed;
  return (most) => (state = (state * 1_103_515_245 + 12_345) & 0x7fffffff) % (most + 1);
}

/** Sums of times are not exact. */
const MICROSECOND = 0.001;

/** The most devices that were sent to within any second; the moments are in order. */
function busiestSecond(gone: { at: number; size: number }[]): number {
  let [most, within, from] = [0, 0, 0];
  for (const { at, size } of gone) {
    within += size;
    while (at - gone[from]!.at >= 1_000 - MICROSECOND) within -= gone[from++]!.size;
    most = Math.max(most, within);
  }
  return most;
}

/** A page for named users that comes for the first time. */
const NAMED = { lane: 'transactional', devices: 5, turn: null } as const;

function timeOf({ decision }: AdmissionAnswer): SendTime {
  if (decision.kind !== 'admitted') throw new Error(`The page waits until ${decision.at}`);
  return decision.time;
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
            const next = chance(seed);
            const lateness = (): number => next(late);
            const devices = Math.min(rate * 5, 3_000);
            const gone = simulate([{ lane, rate, devices }], null, lateness, {
              preparing: () => lateness() % (preparing + 1),
            });
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

  it('is never faster than its limits and a small page of each, whatever is late, stopped or left over', () => {
    const send = fc.record({
      lane: fc.constantFrom('campaign' as const, 'transactional' as const),
      rate: fc.option(fc.integer({ min: 1, max: 600 })),
      devices: fc.integer({ min: 1, max: 400 }),
      // As the pages of a retry, those that a killed worker left behind, and those that were made before the limit.
      pageSize: fc.option(fc.integer({ min: 1, max: 120 }), { nil: undefined }),
    });
    const limits = fc.option(fc.integer({ min: 4, max: 600 }));
    const twoPaces: Required<Send>[] = [
      { lane: 'campaign', rate: null, devices: 11, pageSize: 5 },
      { lane: 'transactional', rate: 2, devices: 292, pageSize: 1 },
    ];
    const delays = { late: fc.integer({ min: 0, max: 700 }), stop: fc.integer({ min: 0, max: 3_000 }) };
    fc.assert(
      fc.property(
        fc.record({
          sends: fc.array(send, { minLength: 1, maxLength: 3 }),
          limit: limits,
          ...delays,
          seed: fc.integer(),
        }),
        ({ sends, limit, late, stop, seed }) => {
          const next = chance(seed);
          const limited = limit === null ? sends.map((one) => ({ ...one, rate: one.rate ?? 50 })) : sends;
          const delay = (): number => (next(9) === 0 ? next(stop) : next(40));
          const gone = simulate(limited, limit, () => next(late), { preparing: () => next(late), delay });
          const within = (perSecond: number | null, ofSend?: number): boolean =>
            perSecond === null ||
            busiestSecond(gone.filter(({ send: one }) => ofSend === undefined || one === ofSend)) <=
              perSecond + pacedPageSize(Infinity, perSecond);
          expect(within(limit)).toBe(true);
          expect(limited.map(({ rate }, place) => within(rate, place))).toEqual(limited.map(() => true));
        },
      ),
      {
        numRuns: 60,
        // Pages that wait for the application's limit keep to their message's meanwhile.
        examples: [[{ sends: twoPaces, limit: 50, late: 0, stop: 870, seed: -2_145_386_358 }]],
      },
    );
  });

  it('comes through although its worker is always later than a page takes', () => {
    const gone = simulate([{ lane: 'campaign', rate: 40, devices: 40 }], null, () => 2, { delay: () => 1_000 });
    expect(total(gone)).toBe(40);
    expect(busiestSecond(gone)).toBeLessThanOrEqual(40 + 4);
  });

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

  it('keeps to the limit of its application when the page of a slower message is sent as late as it may be', () => {
    let application = { nextAt: 0, passedUntil: 0 };
    const moments: { earliest: number; latest: number }[] = [];
    const admit = (devices: number, perSecond: number | null): void => {
      const answer = admitPage({
        ...NAMED,
        devices,
        now: application.passedUntil,
        message: { nextAt: 0, passedUntil: 0, perSecond },
        application: { ...application, perSecond: 200, sends: 1 },
      });
      application = answer.application!;
      const { sendsAt, everyMs, keptMs } = timeOf(answer);
      for (let device = 0; device < devices; device++) {
        const earliest = sendsAt + device * everyMs;
        moments.push({ earliest, latest: earliest + keptMs });
      }
    };
    admit(10, 100);
    for (let page = 0; page < 60; page++) admit(5, null);
    // Those that can be in the second in which one is sent to as late as it may be.
    const most = moments.map(
      ({ latest: from }) => moments.filter(({ earliest, latest }) => latest >= from && earliest < from + 1_000).length,
    );
    expect(Math.max(...most)).toBeLessThanOrEqual(200 + 20);
  });

  it('gives a campaign no turn in a long queue at its application, which named users would have to wait for', () => {
    const application = { nextAt: 2_000, passedUntil: 0, perSecond: 50, sends: 1 };
    const message = { nextAt: 0, passedUntil: 0, perSecond: null };
    const campaign = admitPage({ ...NAMED, lane: 'campaign', now: 0, message, application });
    expect(campaign).toMatchObject({ decision: { kind: 'waits', at: 1_500, isCounted: false }, application });
    // Its next page comes after this one.
    expect(campaign.message.nextAt).toBe(2_100);
  });

  it('counts no time of a message for a page that its application lets wait', () => {
    const waiting = admitPage({
      ...NAMED,
      now: 0,
      message: { nextAt: 0, passedUntil: 0, perSecond: 10 },
      application: { nextAt: 600, passedUntil: 0, perSecond: 50, sends: 0 },
    });
    expect(waiting.decision).toEqual({ kind: 'waits', at: 100, isCounted: true });
    expect(waiting.message.passedUntil).toBe(0);
    const later = admitPage({
      ...NAMED,
      now: 100,
      turn: { at: 100, isCounted: true },
      message: { ...waiting.message, perSecond: 10 },
      application: { ...waiting.application!, perSecond: 50, sends: 0 },
    });
    expect(timeOf(later).sendsAt).toBe(100);
  });

  it.each([11 * MINUTE_MS, HOUR_MS, DAY_MS])('begins anew when the clock was set back by %p ms', (back) => {
    const times = { nextAt: back + 300_000, passedUntil: back };
    const application = { ...times, perSecond: 50, sends: 1 };
    for (const lane of ['transactional', 'campaign'] as const) {
      const page = { ...NAMED, lane, now: 0, message: { ...times, perSecond: 10 }, application };
      const sendsAt = lane === 'campaign' ? 250 : 0;
      const admitted = admitPage({ ...page, devices: 1 });
      expect(timeOf(admitted).sendsAt).toBe(sendsAt);
      expect(admitted.message.passedUntil).toBe(sendsAt + 100);
      expect(admitted.application?.passedUntil).toBe(sendsAt + 20);
      expect(takeAnotherTime({ ...page, turn: null }, 0).decision.time.sendsAt).toBe(0);
    }
  });

  it('never takes a time that it has given itself for one of a clock that was set back', () => {
    const gone = simulate([{ lane: 'campaign', rate: 1, devices: 60 }], 1, () => 700, { delay: () => 5_000 });
    expect(busiestSecond(gone)).toBeLessThanOrEqual(1 + 1);
  });
});
