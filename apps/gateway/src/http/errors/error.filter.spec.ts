import type { ArgumentsHost } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { pino } from 'pino';
import type { BodyDeadlines } from '../body-deadlines';
import type { BeginAgain } from './begin-again.service';
import { ErrorFilter } from './error.filter';

describe('what the log says about errors', () => {
  it('has one warning for an outage that refuses many requests, and a line for each unexpected error', () => {
    const lines: Record<string, unknown>[] = [];
    const logger = pino(
      { level: 'debug', messageKey: 'event', formatters: { level: (level) => ({ level }) } },
      { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
    );
    const deadlines = { discard: () => undefined } as unknown as BodyDeadlines;
    const beginAgain = { after: (...of: unknown[]) => of[2] } as unknown as BeginAgain;
    const filter = new ErrorFilter(logger, deadlines, beginAgain);
    const fail = (error: unknown): number => {
      let status = 0;
      const reply = {
        removeHeader: () => undefined,
        header: () => reply,
        code: (code: number) => ((status = code), reply),
        type: () => reply,
        send: () => undefined,
      } as unknown as FastifyReply;
      const request = { id: 'r', facts: {}, routeOptions: { url: '/api/push/toUsers' }, raw: { complete: true } };
      const http = { getRequest: () => request, getResponse: () => reply };
      filter.catch(error, { switchToHttp: () => http } as unknown as ArgumentsHost);
      return status;
    };

    const isStarting = Object.assign(new Error('the database system is starting up'), { code: '57P03' });
    expect([fail(isStarting), fail(isStarting), fail(isStarting)]).toEqual([503, 503, 503]);
    expect([fail(new TypeError('a mistake')), fail(new TypeError('another'))]).toEqual([500, 500]);
    expect(lines.map(({ level, event }) => [level, event])).toEqual([
      ['warn', 'request.refused'],
      ['debug', 'request.refused'],
      ['debug', 'request.refused'],
      ['error', 'request.failed'],
      ['error', 'request.failed'],
    ]);
    expect(lines[0]).toMatchObject({
      requestId: 'r',
      route: '/api/push/toUsers',
      reason: isStarting.message,
      code: '57P03',
    });
    expect(lines[0]).not.toHaveProperty('err');
    expect(lines[3]).toMatchObject({ err: { type: 'TypeError', message: 'a mistake' } });
  });
});
