import { readBasePath, readHostLabel } from './base-address';

describe('the base path', () => {
  it.each([
    ['/api/push/toUsers', { url: '/api/push/toUsers', appId: undefined }],
    ['/apps/shop/api/push/toUsers?a=1', { url: '/api/push/toUsers?a=1', appId: 'shop' }],
    ['/apps/my%20shop/api', { url: '/api', appId: 'my shop' }],
    ['/apps/a%252Fb/api', { url: '/api', appId: 'a%2Fb' }],
    ['/apps/%/api', { url: '/api', appId: null }],
    ['/apps/shop', { url: '/apps/shop', appId: 'shop' }],
    ['/apps/shop?x=1', { url: '/apps/shop?x=1', appId: 'shop' }],
    ['/apps/', { url: '/apps/', appId: undefined }],
    ['/apps', { url: '/apps', appId: undefined }],
    ['/apps//api', { url: '/apps//api', appId: undefined }],
    ['/api/admin/apps/shop', { url: '/api/admin/apps/shop', appId: undefined }],
  ])('of %s names the application', (url, expected) => {
    expect(readBasePath(url)).toEqual(expected);
  });
});

describe('the host', () => {
  it.each([
    ['shop.push.example', 'shop'],
    ['Shop.push.example:3000', 'shop'],
    ['shop.localhost:3000', 'shop'],
    ['localhost:3000', undefined],
    ['127.0.0.1:3000', undefined],
    ['[::1]:3000', undefined],
    ['.example', undefined],
    [undefined, undefined],
  ])('%s names %s', (host, label) => {
    expect(readHostLabel(host)).toBe(label);
  });
});
