import { HttpClient, type LateBody } from '../http1/http-client';
import type { SmsSenderOptions } from './sms-sender-options';

const DEADLINE_MS = 30_000;

/** Calls to a provider at once: callers keep to it, so that none waits for a connection while its lease runs. */
export const SMS_CONNECTIONS = 16;

/** A request's body; the request is not written any more once `mayWrite` says no. */
export function smsBody(text: string, mayWrite: (() => boolean) | undefined): LateBody {
  return { bytes: Buffer.from(text), beforeWrite: mayWrite ?? (() => true) };
}

/** The HTTP client of an SMS sender. @param ca an authority to trust instead of the usual ones */
export function smsClient({ allowPrivateEndpoints, deadlineMs }: SmsSenderOptions, ca: string | undefined): HttpClient {
  return new HttpClient({
    allowPrivateEndpoints,
    deadlineMs: deadlineMs ?? DEADLINE_MS,
    connections: SMS_CONNECTIONS,
    isForOneRequest: true,
    ...(ca === undefined ? {} : { ca }),
  });
}
