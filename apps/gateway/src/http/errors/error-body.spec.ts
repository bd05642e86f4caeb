import { BadRequestException, NotFoundException } from '@nestjs/common';
import { DomainError, ERROR_STATUS, type ErrorCode, InvalidRequest } from '@postrider/domain';
import { answerTo } from './error-body';

describe('the answer to an error', () => {
  it('has the status that goes with the code', () => {
    for (const [code, status] of Object.entries(ERROR_STATUS) as [ErrorCode, number][]) {
      const { status: answered, body } = answerTo(new DomainError(code, 'Because'));
      expect(answered).toBe(status);
      expect(body.error).toEqual({ name: expect.stringMatching(/^[A-Z]\w+$/), status, message: 'Because', code });
    }
  });

  it('names the bad fields', () => {
    const details = [{ path: 'ttl', message: 'must be a whole number' }];
    expect(answerTo(new InvalidRequest(details)).body.error).toMatchObject({ code: 'INVALID_REQUEST', details });
  });

  it("has exactly the contract's three fields when the error is named Error", () => {
    expect(answerTo(new DomainError('NOT_FOUND', 'Invalid userPush id', { name: 'Error' })).body).toEqual({
      error: { name: 'Error', status: 404, message: 'Invalid userPush id' },
    });
  });

  it('says when to come back', () => {
    expect(answerTo(new DomainError('RATE_LIMITED', 'Slow down', { retryAfterSeconds: 7 })).retryAfterSeconds).toBe(7);
    const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' });
    expect(answerTo(refused)).toMatchObject({ status: 503, code: 'UNAVAILABLE', retryAfterSeconds: 5 });
  });

  it('says of a request that lost its database only that its outcome is unknown', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code: 'ECONNREFUSED' });
    expect(answerTo(refused).body.error.message).toContain('nothing was done');
    expect(answerTo(refused).body.error).not.toHaveProperty('outcome');
    const lost = answerTo(new Error('Connection terminated unexpectedly'));
    expect(lost).toMatchObject({ status: 503, code: 'UNAVAILABLE', retryAfterSeconds: 5 });
    expect(lost.body.error.message).toMatch(/unknown whether the request was carried out$/);
    expect(lost.body.error.outcome).toBe('unknown');
  });

  it.each([
    [new Error('column "secret" does not exist at /srv/app/dist/x.js:3'), 500, 'INTERNAL'],
    [Object.assign(new Error('duplicate key value'), { code: '23505', query: 'INSERT INTO tokens' }), 500, 'INTERNAL'],
    [Object.assign(new Error('boom'), { statusCode: 403 }), 500, 'INTERNAL'],
    ['a text', 500, 'INTERNAL'],
    [undefined, 500, 'INTERNAL'],
    [new NotFoundException('Cannot GET /x?access_token=pr_secret'), 404, 'NOT_FOUND'],
    [new BadRequestException('Unexpected token s in JSON at /srv'), 400, 'INVALID_REQUEST'],
    [Object.assign(new Error('too big'), { name: 'FastifyError', statusCode: 413 }), 413, 'PAYLOAD_TOO_LARGE'],
    [Object.assign(new Error('teapot'), { name: 'FastifyError', statusCode: 418 }), 400, 'INVALID_REQUEST'],
  ])('tells nothing of the inside: %p', (error, status, code) => {
    const answer = answerTo(error);
    expect(answer).toMatchObject({ status, code });
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|srv|INSERT|duplicate|boom|text/);
  });
});
