import { pino } from 'pino';
import { OutageWarning } from './outage-warning';

describe('the warning about an outage of PostgreSQL', () => {
  it('names every address that refused, where the name of the server has two', () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
    const refusals = ['::1', '127.0.0.1'].map((address) =>
      Object.assign(new Error(`connect ECONNREFUSED ${address}:5432`), { code: 'ECONNREFUSED' }),
    );
    new OutageWarning(logger, 'turn.failed').log(new AggregateError(refusals), { name: 'recover-pages' });
    expect(lines).toMatchObject([
      { name: 'recover-pages', reason: 'connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432' },
    ]);
  });
});
