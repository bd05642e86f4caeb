import type { Scope } from '@postrider/domain';

/** Who makes a request, as the guard found out. */
export interface Caller {
  /** The application that the request acts on: the token's own, or the one an operator addressed. */
  appId: string;
  /** What the token may do. An operator may do everything. */
  scopes: readonly Scope[];
  /** Null for an operator (`ADMIN_TOKEN`). */
  tokenId: string | null;
}
