import { type QuietHours, quietUntil } from './quiet-hours';

/** What decides when a user's fallback is due. */
export interface FallbackTiming {
  /** When the message is sent, quiet hours aside. Milliseconds since 1970. */
  startsAt: number;
  delaySeconds: number;
  /** Null: none, or none for this message. */
  quietHours: QuietHours | null;
  /** Where the user is. */
  zone: string;
}

/**
 * When a fallback is due: its delay counts from the moment at which the message was allowed to leave, and its SMS keeps quiet
 * hours as the message does. Milliseconds since 1970.
 */
export function fallbackDueAt({ startsAt, delaySeconds, quietHours, zone }: FallbackTiming): number {
  const afterQuiet = (moment: number): number =>
    quietHours === null ? moment : (quietUntil(quietHours, zone, moment) ?? moment);
  return afterQuiet(afterQuiet(startsAt) + delaySeconds * 1_000);
}
