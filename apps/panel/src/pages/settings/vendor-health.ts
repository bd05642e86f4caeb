/** How an application gets on with one vendor, as `GET apps/:id/vendors/health` tells it. */
export interface VendorHealth {
  vendor: string;
  state: 'ok' | 'failing' | 'half-open' | 'open' | 'unknown';
  since: string | null;
  openUntil: string | null;
  heldPages: number;
  waitingDevices: number;
  credentials: { since: string; code: string; reason: string } | null;
  breaker: { since: string; code: string; reason: string } | null;
  lastError: { kind: string; code: string; reason: string; at: string } | null;
  quarantine: { since: string; count: number; share: number | null; normalShare: number | null } | null;
  deadTokens: { count: number; nextAt: string } | null;
}
