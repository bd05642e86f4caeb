import { PostriderError } from '@postrider/server';
import { CommanderError } from 'commander';

/** The exit codes. The README lists them. */
export const EXIT = {
  done: 0,
  /** An unforeseen error: a mistake of this program, a disk that is full. */
  unexpected: 1,
  /** The words of the command, or the settings. */
  usage: 2,
  /** The service refused the request as it is. */
  refused: 3,
  /** The token is wrong, or may not do this. */
  unauthorized: 4,
  /** Something that the command names does not exist. */
  notFound: 5,
  /** No answer, or not now. The same command may succeed later. */
  unavailable: 6,
  /** The command did its work, and found something that is not in order. */
  notInOrder: 7,
  /** Ctrl-C. */
  interrupted: 130,
  /** SIGTERM. */
  terminated: 143,
} as const;

/** Why a command ends early: the signal that its process got. */
export class Interruption extends Error {
  override readonly name = 'AbortError';
  /** The exit code that shells know for the signal. */
  readonly exitCode: number;

  /** @param signal the signal that the process got */
  constructor(signal: 'SIGINT' | 'SIGTERM') {
    super(`Interrupted by ${signal}`);
    this.exitCode = signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated;
  }
}

/** A failure that the command foresaw: it ends with this message and code, without a stack. */
export class CommandFailure extends Error {
  constructor(
    message: string,
    readonly exitCode: number = EXIT.usage,
    /** What the caller can do about it. */
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** The report of a failure, and the exit code. */
export interface FailureReport {
  exitCode: number;
  code: string;
  message: string;
  status?: number;
  details?: readonly { path: string; message: string }[];
  requestId?: string | null;
  /** How long the service asks to wait. */
  retryAfterMs?: number;
  hint?: string;
}

/** @param error what a command threw */
export function reportOf(error: unknown): FailureReport {
  if (error instanceof CommandFailure) {
    const { exitCode, message, hint } = error;
    const code = exitCode === EXIT.usage ? 'USAGE' : exitCode === EXIT.notFound ? 'NOT_FOUND' : 'FAILED';
    return { exitCode, code, message, ...(hint && { hint }) };
  }
  if (error instanceof PostriderError) {
    const { code, message, status, details, requestId, retryAfterMs } = error;
    const hint = hintFor(error);
    const later = { ...(retryAfterMs !== null && { retryAfterMs }), ...(hint && { hint }) };
    return { exitCode: exitCodeOf(error), code, message, status, details, requestId, ...later };
  }
  const { message } = error as Error;
  if ((error as { code?: string }).code === 'commander.help') {
    return { exitCode: EXIT.usage, code: 'USAGE', message: 'Which command? --help lists them' };
  }
  // Commander begins its messages with a word that JSON says by its member.
  if (isOfUsage(error)) return { exitCode: EXIT.usage, code: 'USAGE', message: message.replace(/^error: /, '') };
  return { exitCode: EXIT.unexpected, code: 'UNEXPECTED', message };
}

/** Words that commander refuses, options that the client refuses, a file that cannot be read. */
function isOfUsage(error: unknown): boolean {
  if (error instanceof CommanderError || error instanceof TypeError) return true;
  return ['ENOENT', 'EACCES', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? '');
}

function exitCodeOf({ code, status, isTemporary }: PostriderError): number {
  if (status === 401 || status === 403) return EXIT.unauthorized;
  if (status === 404) return EXIT.notFound;
  return isTemporary || code === 'UNREACHABLE' ? EXIT.unavailable : EXIT.refused;
}

function hintFor({ code, status, retryAfterMs }: PostriderError): string | undefined {
  if (code === 'UNREACHABLE' || code.startsWith('HTTP_')) {
    return 'Is this the address of the gateway? `postrider doctor` checks it.';
  }
  if (status === 401) return 'Is this the right token? `postrider profiles list` shows what is set.';
  if (status === 403) return 'The token does not have the scope that this needs: see `postrider tokens list`.';
  return retryAfterMs === null ? undefined : `Try again in ${durationOf(retryAfterMs)}.`;
}

/** Rounded up: an earlier try would be refused. */
function durationOf(ms: number): string {
  return ms < 120_000 ? `${Math.ceil(ms / 1_000)} s` : `${Math.ceil(ms / 60_000)} min`;
}
