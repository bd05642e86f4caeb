import { systemClock } from '@postrider/domain';
import type { Database, RoutesRepository } from '@postrider/persistence';
import type { Logger } from '@postrider/platform';
import { RouteReports } from './route-reports.service';

describe('a report of a route that PostgreSQL does not take', () => {
  /** The warnings about `failure`, which the repository has for a report. */
  async function warningsOf(failure: Error): Promise<object[]> {
    const lines: object[] = [];
    const logger = { warn: (facts: object) => lines.push(facts), debug: () => undefined } as unknown as Logger;
    const routes = { reportWorking: () => Promise.reject(failure) } as unknown as RoutesRepository;
    const reports = new RouteReports({} as Database, routes, systemClock, { instanceId: 'w1' }, logger);
    await reports.works({ appId: 'shop', vendor: 'fcm' }, null);
    await reports.works({ appId: 'shop', vendor: 'apns' }, null);
    return lines;
  }

  it('is logged once with its reason while PostgreSQL is away', async () => {
    const away = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' });
    expect(await warningsOf(away)).toEqual([{ what: 'works', reason: 'connect ECONNREFUSED 10.0.0.1:5432' }]);
  });

  it('is logged with its stack for any other error', async () => {
    const wrong = new Error('column "x" does not exist');
    expect(await warningsOf(wrong)).toEqual([{ what: 'works', err: wrong }]);
  });
});
