import type { Scope } from '@postrider/domain';

/**
 * Who is signed in to the panel in a browser, the operator or the holder of an application's token: the answer of
 * `/panel/session`. Only the panel calls it; it is not part of the API document.
 */
export type PanelSession = (
  { kind: 'operator'; appId: null } | { kind: 'application'; appId: string; tokenId: string }
) & {
  scopes: Scope[];
  /** True if the gateway shows its API reference in this session. */
  mayReadDocs: boolean;
};
