import { ConfigError } from './config-error';
import { loadConfig, loadGatewayConfig, readVariable } from './config';

const ENV = {
  DATABASE_URL: 'postgres://u:p@db/x',
  REDIS_URL: 'redis://redis',
  SECRET_KEY: 's'.repeat(32),
};
const ADMIN = { ADMIN_TOKEN: 'a'.repeat(16) };

describe('the token of the operator', () => {
  it('is read by the gateway, which does not start without it, and by no other process', () => {
    expect(loadConfig({ ...ENV, ADMIN_TOKEN: 'short' })).not.toHaveProperty('adminToken');
    expect(loadGatewayConfig({ ...ENV, ...ADMIN }).adminToken.reveal()).toBe(ADMIN.ADMIN_TOKEN);
    expect(() => loadGatewayConfig(ENV)).toThrow(/^ADMIN_TOKEN is missing: expected at least 16 characters$/);
  });
});

describe('a token of the operator that no request can carry', () => {
  it.each([`${'a'.repeat(16)}\n`, ` ${'a'.repeat(16)}`, `${'a'.repeat(8)}\r\n${'a'.repeat(8)}`])(
    'is refused, and not shown: %j',
    (text) => {
      expect(() => loadGatewayConfig({ ...ENV, ADMIN_TOKEN: text })).toThrow(
        /^ADMIN_TOKEN is "\*+": expected at least 16 characters, without line breaks, and without spaces at its ends$/,
      );
    },
  );
});

describe('the gateway that an edge sends to', () => {
  it.each([
    [undefined, 'http://127.0.0.1:3000'],
    ['0.0.0.0', 'http://127.0.0.1:3000'],
    ['::', 'http://127.0.0.1:3000'],
    ['192.0.2.7', 'http://192.0.2.7:3000'],
    ['::1', 'http://[::1]:3000'],
  ])('is on this machine, at the address that servers listen on: %s', (host, url) => {
    expect(loadConfig({ ...ENV, HOST: host }).gatewayUrl).toBe(url);
  });
});

describe('a setting that would only fail later', () => {
  it.each([
    ['PUBLIC_URL', 'https://push one.example'],
    ['PUBLIC_URL', 'https://push.example/?page=1'],
    ['PUBLIC_URL', 'https://push.example/#top'],
    ['TRACKER_URL', 'https://'],
    ['TRACKER_URL', 'go.example'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://'],
    ['GATEWAY_URL', 'http://gateway:port'],
    ['HTTPS_PROXY', 'socks5://proxy'],
    ['HTTPS_PROXY', 'proxy:3128'],
    ['HOST', 'all addresses'],
    ['HOST', '999.1.1.1'],
    ['HOST', '127.0.0.1:3000'],
    ['HOST', 'http://127.0.0.1'],
  ])('is refused in one line that names it and says what is allowed: %s=%s', (name, text) => {
    const load = (): unknown => loadConfig({ ...ENV, [name]: text });
    expect(load).toThrow(new RegExp(`^${name} is "[^"]*": expected an? (URL|IP address)`));
    expect(load).toThrow(ConfigError);
  });

  it.each([
    ['PUBLIC_URL', 'https://push.example:8443/base/'],
    ['TRACKER_URL', 'http://[::1]:3000'],
    ['HOST', '0.0.0.0'],
    ['HOST', 'fe80::1%eth0'],
    ['HOST', 'localhost'],
    ['HOST', 'gateway-1.push_net.internal'],
  ])('is taken as it is if it is good: %s=%s', (name, text) => {
    expect(Object.values(loadConfig({ ...ENV, [name]: text }))).toContain(text);
  });
});

describe('a secret that is still the placeholder of an example', () => {
  const production = { ...ENV, ...ADMIN, NODE_ENV: 'production' };

  it.each([
    ['ADMIN_TOKEN', 'change-me-change-me'],
    ['SECRET_KEY', 'change-me-change-me-change-me-change-me'],
    ['SECRET_KEY', 'CHANGE_ME'.repeat(4)],
    ['DATABASE_URL', 'postgres://postrider:change-me@postgres:5432/postrider'],
    ['REDIS_URL', 'rediss://:changeme@redis:6379'],
  ])('is refused in production, in one line that names %s', (name, text) => {
    const env = { ...production, [name]: text };
    expect(() => loadGatewayConfig(env)).toThrow(
      new RegExp(`^${name} is "[^"]+": expected a secret of your own where "change-me" stands$`),
    );
    expect(() => loadGatewayConfig({ ...env, NODE_ENV: 'development' })).not.toThrow();
    expect(() => loadGatewayConfig({ ...env, NODE_ENV: undefined })).not.toThrow();
  });

  it.each([
    ['SECRET_KEY', ' '.repeat(40)],
    ['SECRET_KEY', '\t '.repeat(20)],
  ])('is refused in production too if it is only blanks: %s=%j', (name, text) => {
    const env = { ...production, [name]: text };
    const stars = '\\*'.repeat(text.length);
    expect(() => loadGatewayConfig(env)).toThrow(
      new RegExp(`^${name} is "${stars}": expected a random secret, not only blanks$`),
    );
    expect(() => loadGatewayConfig({ ...env, NODE_ENV: 'development' })).not.toThrow();
    const old = { ...production, SECRET_KEY_PREVIOUS: ' '.repeat(40) };
    expect(() => loadGatewayConfig(old)).not.toThrow();
  });

  it('is nothing but a secret: a host or a database may have that name', () => {
    const url = 'postgres://u:p@change-me.example/change-me';
    expect(readVariable('DATABASE_URL', { ...production, DATABASE_URL: url })).toBe(url);
    expect(readVariable('INSTANCE_ID', { ...production, INSTANCE_ID: 'change-me' })).toBe('change-me');
  });
});
