import type { Clock } from '@postrider/domain';

/** What every SMS sender needs beside its credentials. */
export interface SmsSenderOptions {
  clock: Clock;
  /** Whether endpoints may be loopback or private addresses, or plain http. */
  allowPrivateEndpoints: boolean;
  /** How long an answer may take. Default 30 s: giving up early only makes more of them uncertain. */
  deadlineMs?: number;
}
