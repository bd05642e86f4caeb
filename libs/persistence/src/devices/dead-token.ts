/** A token that a vendor called dead, as it was when it was used. */
export interface DeadToken {
  deviceId: number;
  token: string;
  /** As read with the token, to the microsecond. */
  registeredAt: string | null;
  /** The vendor's own timestamp: a token registered after it is alive again. */
  deadSince: Date | null;
  /** Whether it had not been registered for so long that it may have died by itself (`isSilentToken`). */
  isSilent?: boolean;
  /** What the vendor said. */
  code?: string;
}
