import type { DeliveryState, PushVendor } from '@postrider/domain';
import { CallTimes } from '@postrider/platform';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { TokenObserver } from '../tokens/token-hygiene';
import type { PageRun } from './run/page-run';
import type { Route } from '../route/route';

/** The values of `postrider_route_state`. */
const ROUTE_STATES = { closed: 0, 'half-open': 1, open: 2 } as const;

/** The number of routes that have a series of their own. */
const MOST_ROUTES = 500;

/** The number of codes that have a series of their own: what a proxy puts into its answer may be another one each time. */
const MOST_CODES = 200;
const OTHER_CODE = 'other';

/** The metrics that the alerts use: deliveries, vendor answers and their times, pages, held routes. */
export class DeliveryMetrics implements TokenObserver {
  readonly #deliveries: Counter;
  readonly #outcomes: Counter;
  readonly #latency: CallTimes;
  readonly #pages: Counter;
  readonly #tokens: Counter;
  readonly #lost: Counter;
  readonly #codes = new Set<string>();

  constructor(registry: Registry, routes: () => Route[]) {
    const registers = [registry];
    this.#deliveries = new Counter({
      name: 'postrider_deliveries_total',
      help: 'Deliveries recorded by this worker, by vendor and state',
      labelNames: ['vendor', 'state'],
      registers,
    });
    this.#outcomes = new Counter({
      name: 'postrider_vendor_outcomes_total',
      help: 'Answers of vendors, by class and code',
      labelNames: ['vendor', 'kind', 'code'],
      registers,
    });
    this.#latency = new CallTimes({
      name: 'postrider_vendor_latency_seconds',
      help: 'Time from the start of a vendor call to its outcome',
      labelNames: ['vendor'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20],
      registry,
    });
    this.#pages = new Counter({
      name: 'postrider_pages_total',
      help: 'Pages worked, by vendor and how they ended',
      labelNames: ['vendor', 'outcome'],
      registers,
    });
    this.#tokens = new Counter({
      name: 'postrider_dead_tokens_total',
      help: 'Tokens that a vendor called dead: noted or quarantined, or taken back by the vendor',
      labelNames: ['vendor', 'action'],
      registers,
    });
    this.#lost = new Counter({
      name: 'postrider_pages_with_lost_workers_total',
      help: 'Pages whose lease ended without a result: processed again by the next worker, or parked after the third, with their devices failed',
      labelNames: ['action'],
      registers,
    });
    for (const action of ['worked', 'parked']) this.#lost.inc({ action }, 0);
    addRouteGauges(registry, routes);
  }

  /** Records the time of one vendor call. */
  answered({ vendor }: Route, seconds: number): void {
    this.#latency.observe(vendor, seconds);
  }

  /** Records a page's answers and its end. */
  pageEnded({ page: { vendor }, answers }: PageRun, outcome: string): void {
    this.#pages.inc({ vendor, outcome });
    for (const [answer, count] of answers) {
      const [kind = '', code = ''] = answer.split(' ', 2);
      this.#outcomes.inc({ vendor, kind, code: this.#knownCode(code) }, count);
    }
  }

  #knownCode(code: string): string {
    if (this.#codes.size < MOST_CODES) this.#codes.add(code);
    return this.#codes.has(code) ? code : OTHER_CODE;
  }

  /** Records deliveries. */
  deliveriesRecorded(vendor: PushVendor, states: readonly DeliveryState[]): void {
    const counts = new Map<DeliveryState, number>();
    for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
    for (const [state, count] of counts) this.#deliveries.inc({ vendor, state }, count);
  }

  /** Records a page that has lost workers. */
  workerLost(isParked: boolean): void {
    this.#lost.inc({ action: isParked ? 'parked' : 'worked' });
  }

  /** Records tokens that were noted or quarantined. */
  tokensCalledDead(vendor: PushVendor, count: number, isQuarantined: boolean): void {
    this.#tokens.inc({ vendor, action: isQuarantined ? 'quarantined' : 'noted' }, count);
  }

  /** Records tokens that were called dead once and that the vendor has accepted since. */
  tokensTakenBack(vendor: PushVendor, count: number): void {
    this.#tokens.inc({ vendor, action: 'taken_back' }, count);
  }
}

function addRouteGauges(registry: Registry, routes: () => Route[]): void {
  new Gauge({
    name: 'postrider_route_state',
    help: 'If an application reaches a vendor: 0 yes, 1 being tried, 2 held',
    labelNames: ['app_id', 'vendor'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { appId, vendor, breaker } of worstRoutes(routes())) {
        this.set({ app_id: appId, vendor }, ROUTE_STATES[breaker.state]);
      }
    },
  });
  new Gauge({
    name: 'postrider_routes',
    help: 'Routes (an application at a vendor) that this worker knows, by the state of their breakers',
    labelNames: ['vendor', 'state'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { vendor, breaker } of routes()) this.inc({ vendor, state: breaker.state });
    },
  });
  new Gauge({
    name: 'postrider_held_routes',
    help: 'Routes that are held or being tried, by cause: kind config means credentials; an outage has the kinds of answers',
    labelNames: ['vendor', 'kind', 'code'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { vendor, breaker, lastError } of routes()) {
        if (breaker.state !== 'closed') this.inc({ vendor, kind: lastError?.kind ?? '', code: lastError?.code ?? '' });
      }
    },
  });
  new Gauge({
    name: 'postrider_deliveries_in_flight',
    help: 'Vendor calls under way',
    labelNames: ['vendor'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { vendor, inFlight } of routes()) this.inc({ vendor }, inFlight);
    },
  });
}

/**
 * Returns the routes to show, held ones first: a series for each of many thousand applications would be too much for
 * a monitor.
 */
function worstRoutes(routes: Route[]): Route[] {
  if (routes.length <= MOST_ROUTES) return routes;
  const severity = ({ breaker }: Route): number => ROUTE_STATES[breaker.state];
  return [...routes].sort((a, b) => severity(b) - severity(a)).slice(0, MOST_ROUTES);
}
