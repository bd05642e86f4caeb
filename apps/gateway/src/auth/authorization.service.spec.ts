import { InvalidRequest, type Scope, SCOPES } from '@postrider/domain';
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

  const token = (...scopes: Scope[]): Identity => ({
    kind: 'token',
    token: { appId: 'shop', tokenId: '7', scopes } as never,
  });
  const callerOf = (identity: Identity, access: object): unknown => {
    const request = requestOf(identity, access);
    expect(authorization.authorize(request)).toBeUndefined();
    return request.caller;
  };

  it('lets a token call the routes of its scopes, for its application', () => {
    const access = { kind: 'token', scopes: ['send', 'read'] };
    expect(callerOf(token('read'), access)).toEqual({ appId: 'shop', scopes: ['read'], tokenId: '7' });
    expect(callerOf(token('server'), access)).toMatchObject({ appId: 'shop', scopes: ['server'] });
    expect(() => authorization.authorize(requestOf(token('devices'), access))).toThrow('the scope send or read');
    expect(() => authorization.authorize(requestOf({ kind: 'stranger' }, access))).toThrow(
      'A valid access token is required',
    );
  });

  it('lets an operator call the routes of the application that they name', () => {
    const access = { kind: 'token', scopes: ['send'] };
    const operator = (application: string | null | undefined): Identity => ({ kind: 'operator', application });
    expect(callerOf(operator('shop'), access)).toEqual({ appId: 'shop', scopes: SCOPES, tokenId: null });
    expect(() => authorization.authorize(requestOf(operator(null), access))).toThrow('There is no such application');
    expect(() => authorization.authorize(requestOf(operator(undefined), access))).toThrow(InvalidRequest);
  });

  it('lets operators alone call their routes, with or without an application', async () => {
    const access = { kind: 'operator' };
    expect(callerOf({ kind: 'operator', application: 'shop' }, access)).toMatchObject({ appId: 'shop', tokenId: null });
    expect(callerOf({ kind: 'operator', application: undefined }, access)).toMatchObject({ appId: '' });
    const refusing = new Authorization({ refuseShown: () => Promise.resolve(new Error('counted')) } as never);
    for (const identity of [token('server'), { kind: 'stranger' }] as const) {
      await expect(refusing.authorize(requestOf(identity, access))).rejects.toThrow('counted');
    }
  });

  it('leaves the routes of plugins to them, and lets everybody call public ones', () => {
    for (const kind of ['public', 'plugin', 'anybody']) {
      expect(authorization.authorize(requestOf({ kind: 'stranger' }, { kind }))).toBeUndefined();
    }
  });
});
