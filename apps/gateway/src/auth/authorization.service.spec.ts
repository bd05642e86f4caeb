import { Authorization } from './authorization.service';
import type { AuthenticatedRequest, Identity } from './caller';

const authorization = new Authorization({} as never);

const requestOf = (identity: Identity, access?: object): AuthenticatedRequest =>
  ({ routeOptions: { config: { access } }, facts: { identity } }) as unknown as AuthenticatedRequest;

describe('authorization', () => {
  it('lets nobody call a route that no mark says anything of, not even the operator', () => {
    for (const identity of [{ kind: 'stranger' }, { kind: 'operator', application: 'shop' }] as const) {
      expect(() => authorization.authorize(requestOf(identity))).toThrow('A valid access token is required');
    }
  });

  it('leaves the routes of plugins to them, and lets everybody call public ones', () => {
    for (const kind of ['public', 'plugin', 'anybody']) {
      expect(authorization.authorize(requestOf({ kind: 'stranger' }, { kind }))).toBeUndefined();
    }
  });
});
