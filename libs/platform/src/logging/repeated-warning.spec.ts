import { pino } from 'pino';
import { RepeatedWarning } from './repeated-warning';

describe('a warning that is repeated', () => {
  it('is one line a minute, and the others are for whoever wants to see all', () => {
    const levels: string[] = [];
    const write = (line: string): unknown => levels.push((JSON.parse(line) as { level: string }).level);
    const logger = pino({ level: 'debug', formatters: { level: (level) => ({ level }) } }, { write });
    let now = 0;
    const warning = new RepeatedWarning(logger, 'page.settle-delayed', () => now);
    for (const moment of [0, 1, 59_999, 60_000, 60_001]) {
      now = moment;
      warning.log({ pageId: 'p1' });
    }
    expect(levels).toEqual(['warn', 'debug', 'debug', 'warn', 'debug']);
  });
});
