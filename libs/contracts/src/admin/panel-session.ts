import type { Scope } from '@postrider/domain';

/**
 * Who is signed in to the panel in a browser, the operator or the holder of an application's token: what `/panel/session` answers. The
 * panel alone asks for it; it is no part of the API document.
 */
export type PanelSession = ({ kind: 'operator'; appId: null } | { kind: 'application'; appId: string }) & {
  scopes: Scope[];
  /** True if the gateway shows this session its API reference. */
  mayReadDocs: boolean;
};
