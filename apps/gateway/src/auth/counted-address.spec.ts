import type { IncomingMessage } from 'node:http';
import { networkOf, countedAddress } from './counted-address';

const request = (remoteAddress: string, forwarded?: string): IncomingMessage =>
  ({ headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }) as never;

describe('the address that a request is counted against', () => {
  it.each([
    ['the other end of the connection', request('10.0.0.1'), 0, '10.0.0.1'],
    ['not what a header says without trusted proxies', request('10.0.0.1', '1.2.3.4'), 0, '10.0.0.1'],
    ['what the trusted proxy saw', request('10.0.0.1', '6.6.6.6, 1.2.3.4'), 1, '1.2.3.4'],
    ['what the outer of two trusted proxies saw', request('10.0.0.1', '6.6.6.6, 1.2.3.4, 10.0.0.2'), 2, '1.2.3.4'],
    ['the proxy, when the header is missing', request('10.0.0.1'), 1, '10.0.0.1'],
    ['the proxy, when the header is no address', request('10.0.0.1', 'unknown'), 1, '10.0.0.1'],
    ['the network of an IPv6 address', request('2001:db8:1:2:3:4:5:6'), 0, '2001:0db8:0001:0002'],
  ])('is %s', (_, shown, trustedProxies, address) => {
    expect(countedAddress(shown, trustedProxies)).toBe(address);
  });
});

describe('the network of an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['2001:DB8:1:2:3:4:5:6', '2001:0db8:0001:0002'],
    ['2001:db8::1', '2001:0db8:0000:0000'],
    ['2001:db8:1:2::', '2001:0db8:0001:0002'],
    ['1::2:3:4:5:6:7', '0001:0000:0002:0003'],
    ['::2:3:4:5:6:7:8', '0000:0002:0003:0004'],
    ['::1', '0000:0000:0000:0000'],
    ['::', '0000:0000:0000:0000'],
    ['64:ff9b::192.0.2.1', '0064:ff9b:0000:0000'],
    ['fe80::1%eth0', 'fe80:0000:0000:0000'],
    ['unknown', null],
    ['', null],
    [undefined, null],
  ])('of %s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
