import { types } from 'node:util';

/**
 * SQLSTATE classes and codes of errors that do not depend on the statement: the server cannot run any now. A new
 * connection gets 55000 if the database takes none (`ALLOW_CONNECTIONS false`), and 28000 or 28P01 if the server does
 * not let this role in, as while a password is replaced.
 */
const UNAVAILABLE_STATES = /^(?:08...|28000|28P01|53...|55000|57P0[1-5]|57014|40001|40P01|55P03|25006|58000|58030)$/;

/**
 * PostgreSQL has the code of missing privileges for a file that it may not write too: its file system became read-only.
 * Then the error comes from a source that reads and writes files; privileges of a role are checked elsewhere.
 */
const NOT_ALLOWED = '42501';
const FILE_SOURCES = new Set([
  'md.c',
  'fd.c',
  'slru.c',
  'xlog.c',
  'relcache.c',
  'relmapper.c',
  'copydir.c',
  'buffile.c',
]);

/** Errors of the socket below the protocol. With the last four this process or machine has no socket left. */
const SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'EADDRNOTAVAIL',
]);

/**
 * Error messages of the driver, its pool and TypeORM when a connection ends or none is free. They have no code. TypeORM
 * gives up the connection of a transaction that ends between two statements, so the next one finds it released.
 */
const CONNECTION_MESSAGES =
  /^(?:Connection terminated|Query runner already released|Database connection provided by a query runner was already released|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after|timeout expired|Query read timeout|Driver not Connected|Cannot execute operation on .* connection because)/i;

/**
 * True if `error` means that PostgreSQL cannot take the request now (down, restarting, out of connections, read-only
 * after a failover or below it, a lock or statement timeout), so that the same request may work later. False for an error of the
 * statement itself (a constraint, a syntax error).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  const { driverError, errors } = error as Error & { driverError?: unknown; errors?: unknown };
  // A dual-stack connect fails with one error for each address.
  if (Array.isArray(errors) && errors.some(isDatabaseUnavailable)) return true;
  if (driverError !== undefined && driverError !== error && isDatabaseUnavailable(driverError)) return true;
  return saysUnavailable(error) || CONNECTION_MESSAGES.test(error.message);
}

function saysUnavailable({ code, file }: Error & { code?: unknown; file?: unknown }): boolean {
  if (typeof code !== 'string') return false;
  if (code === NOT_ALLOWED) return typeof file === 'string' && FILE_SOURCES.has(file);
  return SOCKET_CODES.has(code) || UNAVAILABLE_STATES.test(code);
}

/** Codes of a connection that ended while a statement was under way (SQLSTATE classes 08 and 57P, 40003), or of its socket. */
const LOST_STATES = /^(?:08(?!001|004)...|40003|57P0[12])$/;
const LOST_CODES = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT']);

/** As `CONNECTION_MESSAGES`, of a connection that was there. */
const LOST_MESSAGES =
  /^(?:Connection terminated(?! due to connection timeout)|Query runner already released|Database connection provided by a query runner was already released|Client has encountered a connection error|Client was closed|Query read timeout)/i;

/**
 * True if a connection to PostgreSQL ended while it was in use: what was under way on it, such as a commit, may have been carried
 * out.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (!types.isNativeError(error)) return false;
  const { code, driverError, errors } = error as Error & { code?: unknown; driverError?: unknown; errors?: unknown };
  // Of a connection that was not made there is an error for each address.
  if (Array.isArray(errors)) return false;
  if (driverError !== undefined && driverError !== error && isOutcomeUnknown(driverError)) return true;
  if (typeof code === 'string' && (LOST_CODES.has(code) || LOST_STATES.test(code))) return true;
  return LOST_MESSAGES.test(error.message);
}
