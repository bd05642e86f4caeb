import { isDatabaseUnavailable, isOutcomeUnknown } from './is-database-unavailable';

function failure(message: string, code?: string): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code });
}

describe('isDatabaseUnavailable', () => {
  it.each([
    failure('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'),
    failure('the database system is starting up', '57P03'),
    failure('terminating connection due to administrator command', '57P01'),
    failure('sorry, too many clients already', '53300'),
    failure('database "postrider" is not currently accepting connections', '55000'),
    failure('password authentication failed for user "postrider"', '28P01'),
    failure('no pg_hba.conf entry for host "10.0.0.1"', '28000'),
    failure('connection failure', '08006'),
    failure('connect EMFILE 127.0.0.1:5432', 'EMFILE'),
    failure('connect EADDRNOTAVAIL 127.0.0.1:5432', 'EADDRNOTAVAIL'),
    failure('cannot execute INSERT in a read-only transaction', '25006'),
    Object.assign(failure('could not open file "global/2676": Read-only file system', '42501'), { file: 'md.c' }),
    failure('Connection terminated unexpectedly'),
    failure('timeout exceeded when trying to connect'),
    Object.assign(failure('query failed'), { driverError: failure('Connection terminated') }),
    new AggregateError([failure('connect ECONNREFUSED ::1:5432', 'ECONNREFUSED')]),
  ])('says that the caller may try again after: %s', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it.each([
    failure('syntax error at or near "FORM"', '42601'),
    Object.assign(failure('permission denied for table messages', '42501'), { file: 'aclchk.c' }),
    failure('duplicate key value violates unique constraint', '23505'),
    failure('unsupported Unicode escape sequence', '22P05'),
    failure('Cannot read properties of undefined'),
    'ECONNREFUSED',
    undefined,
  ])('says that trying again is no use after: %s', (error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});

describe('isOutcomeUnknown', () => {
  it.each([
    failure('Connection terminated unexpectedly'),
    failure('Connection terminated: the server does not answer, and does not run the statement'),
    failure('read ECONNRESET', 'ECONNRESET'),
    failure('terminating connection due to administrator command', '57P01'),
    failure('connection failure', '08006'),
    Object.assign(failure('query failed'), { driverError: failure('Connection terminated') }),
  ])('says that a statement may have been carried out after: %s', (error) => {
    expect(isOutcomeUnknown(error)).toBe(true);
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it.each([
    failure('connect ECONNREFUSED 127.0.0.1:5432', 'ECONNREFUSED'),
    failure('Connection terminated due to connection timeout'),
    failure('timeout exceeded when trying to connect'),
    new AggregateError([failure('connect ETIMEDOUT ::1:5432', 'ETIMEDOUT')]),
    failure('the database system is starting up', '57P03'),
    failure('canceling statement due to statement timeout', '57014'),
    failure('could not extend file', '53100'),
    'Connection terminated',
  ])('says that PostgreSQL did nothing after: %s', (error) => {
    expect(isOutcomeUnknown(error)).toBe(false);
  });
});
