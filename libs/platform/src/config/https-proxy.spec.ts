import { loadConfig } from './config';
import { HttpsProxy } from './https-proxy';

describe('HTTPS_PROXY and NO_PROXY', () => {
  it.each([
    ['*', 'https://example.com', false],
    ['example.com', 'https://example.com', false],
    ['example.com', 'https://push.EXAMPLE.com', false],
    ['.example.com', 'https://push.example.com', false],
    ['*.example.com', 'https://push.example.com', false],
    ['example.com', 'https://anexample.com', true],
    ['example.com:8443', 'https://example.com:8443', false],
    ['example.com:8443', 'https://example.com', true],
    ['a.example, 192.0.2.1', 'https://192.0.2.1', false],
    ['192.0.2.0/24', 'https://192.0.2.77', false],
    ['192.0.2.0/24', 'https://192.0.3.77', true],
    ['2001:db8::/32', 'https://[2001:db8::1]', false],
    ['[2001:db8::1]:8443', 'https://[2001:db8::1]:8443', false],
    ['', 'https://127.0.0.1:3443', false],
    ['', 'https://[::1]', false],
    ['', 'https://example.com', true],
    ['', 'http://example.com', false],
  ])('NO_PROXY=%s: is %s reached through the proxy? %s', (noProxy, url, isProxied) => {
    const proxy = new HttpsProxy('http://proxy:3128', noProxy);
    expect(proxy.for(new URL(url))?.host).toBe(isProxied ? 'proxy:3128' : undefined);
  });

  it('are refused in one line when they cannot be read', () => {
    const others = { DATABASE_URL: 'postgres://u:p@db/x', REDIS_URL: 'redis://redis', SECRET_KEY: 's'.repeat(32) };
    const load = (more: Record<string, string>) => () => loadConfig({ ...others, ...more });
    expect(load({ HTTPS_PROXY: 'socks5://proxy' })).toThrow(/^HTTPS_PROXY is "socks5:\/\/proxy": expected a URL/);
    expect(load({ HTTPS_PROXY: 'http://ops:hush@proxy:port' })).toThrow(
      /^HTTPS_PROXY is "http:\/\/ops:\*\*\*@proxy:port": expected a URL/,
    );
    expect(load({ HTTPS_PROXY: 'ops:hush@proxy:3128' })).toThrow(
      /^HTTPS_PROXY is "ops:\*\*\*@proxy:3128": expected a URL/,
    );
    expect(load({ HTTPS_PROXY: 'http://ops:50%hush@proxy' })).toThrow(
      /^HTTPS_PROXY is "http:\/\/ops:\*\*\*@proxy": expected a URL .*percent-encoded/,
    );
    expect(load({ HTTPS_PROXY: 'http://proxy', NO_PROXY: '10.0.0.0/99' })).toThrow(
      /^NO_PROXY is "10.0.0.0\/99": expected/,
    );
    expect(load({})().proxy).toBeUndefined();
  });

  it('keep the password out of sight', () => {
    expect(JSON.stringify(new HttpsProxy('http://ops:hush@proxy'))).not.toContain('hush');
  });
});
