import { type QuietHours, quietUntil } from './quiet-hours';

/** What decides when a user's fallback is due. */
interface FallbackTiming {
  /** When the message is sent, without quiet hours. Milliseconds since 1970. */
  startsAt: number;
  delaySeconds: number;
  /** Null: no quiet hours, or none for this message. */
  quietHours: QuietHours | null;
  /** The user's time zone. */
  zone: string;
}

/**
 * When a fallback is due: its delay counts from the moment at which the message may leave, and its SMS respects quiet
 * hours like the message. Milliseconds since 1970.
 */
export function fallbackDueAt({ startsAt, delaySeconds, quietHours, zone }: FallbackTiming): number {
  const afterQuiet = (moment: number): number =>
    quietHours === null ? moment : (quietUntil(quietHours, zone, moment) ?? moment);
  return afterQuiet(afterQuiet(startsAt) + delaySeconds * 1_000);
}
