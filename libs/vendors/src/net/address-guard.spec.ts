import { IPv4, IPv6, parseCIDR } from 'ipaddr.js';
import {
  assertPublicEndpoint,
  isPrivateAddress,
  PlainEndpointError,
  PrivateAddressError,
  publicLookup,
} from './address-guard';

/**
 * IANA IPv4 and IPv6 Special-Purpose Address Registries, whole, with multicast and the address space that is not given out.
 * Some blocks (anycast services such as AS112) could be reached from anywhere: no push service or webhook is there.
 */
const SPECIAL_PURPOSE = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private use'],
  ['100.64.0.0/10', 'shared address space'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link local'],
  ['172.16.0.0/12', 'private use'],
  ['192.0.0.0/24', 'IETF protocol assignments'],
  ['192.0.0.0/29', 'IPv4 service continuity'],
  ['192.0.0.8/32', 'dummy address'],
  ['192.0.0.9/32', 'port control protocol anycast'],
  ['192.0.0.10/32', 'TURN anycast'],
  ['192.0.0.170/32', 'NAT64/DNS64 discovery'],
  ['192.0.0.171/32', 'NAT64/DNS64 discovery'],
  ['192.0.2.0/24', 'documentation (TEST-NET-1)'],
  ['192.31.196.0/24', 'AS112-v4'],
  ['192.52.193.0/24', 'AMT'],
  ['192.88.99.0/24', 'deprecated 6to4 relay anycast'],
  ['192.168.0.0/16', 'private use'],
  ['192.175.48.0/24', 'direct delegation AS112 service'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation (TEST-NET-2)'],
  ['203.0.113.0/24', 'documentation (TEST-NET-3)'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['255.255.255.255/32', 'limited broadcast'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::ffff:0:0:0/96', 'IPv4-translated'],
  ['64:ff9b:1::/48', 'IPv4-IPv6 translation, local'],
  ['100::/64', 'discard only'],
  ['100:0:0:1::/64', 'dummy prefix'],
  ['2001::/23', 'IETF protocol assignments'],
  ['2001::/32', 'Teredo'],
  ['2001:1::1/128', 'port control protocol anycast'],
  ['2001:1::2/128', 'TURN anycast'],
  ['2001:1::3/128', 'DNS-SD anycast'],
  ['2001:2::/48', 'benchmarking'],
  ['2001:3::/32', 'AMT'],
  ['2001:4:112::/48', 'AS112-v6'],
  ['2001:10::/28', 'deprecated ORCHID'],
  ['2001:20::/28', 'ORCHIDv2'],
  ['2001:30::/28', 'drone remote id'],
  ['2001:db8::/32', 'documentation'],
  ['2002::/16', '6to4'],
  ['2620:4f:8000::/48', 'direct delegation AS112 service'],
  ['3fff::/20', 'documentation'],
  ['5f00::/16', 'segment routing SIDs'],
  ['fc00::/7', 'unique local'],
  ['fe80::/10', 'link local'],
  ['fec0::/10', 'deprecated site local'],
  ['ff00::/8', 'multicast'],
  ['4000::/2', 'not given out'],
  ['8000::/1', 'not given out'],
] as const;

describe.each(SPECIAL_PURPOSE)('%s (%s)', (range) => {
  const [first, bits] = parseCIDR(range);
  const bytes = first.toByteArray();
  const inside = (fill: number): string => {
    const all = bytes.map((byte, place) => {
      const fixed = Math.min(8, Math.max(0, bits - place * 8));
      return (byte & (0xff << (8 - fixed))) | (fill & (0xff >> fixed));
    });
    return (all.length === 4 ? new IPv4(all) : new IPv6(all)).toString();
  };

  it('is private from its first address to its last', () => {
    for (const fill of [0x00, 0x01, 0x55, 0xaa, 0xff])
      expect([inside(fill), isPrivateAddress(inside(fill))]).toEqual([inside(fill), true]);
  });

  if (bytes.length === 4) {
    it('is private inside IPv6 too', () => {
      for (const before of ['::', '::ffff:', '64:ff9b::', '::ffff:0:']) {
        expect(isPrivateAddress(before + inside(0x00))).toBe(true);
        expect(isPrivateAddress(before + inside(0xff))).toBe(true);
      }
    });
  }
});

it.each([
  'fe80::1%eth0',
  '::ffff:7f00:1',
  '64:ff9b::a00:1',
  '100.100.100.200',
  'fd00:ec2::254',
  'not an address',
  '',
  '0x7f.1',
  '127.1',
])('the address %j is private', (address) => {
  expect(isPrivateAddress(address)).toBe(true);
});

it.each([
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.32.0.1',
  '192.0.1.0',
  '17.57.144.1',
  '223.255.255.255',
  '2607:f8b0::1',
  '2001:200::1',
  '2a00:1450:4001::1',
  '3ffe::1',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
])('the address %s is public', (address) => {
  expect(isPrivateAddress(address)).toBe(false);
});

describe('an endpoint that must be public', () => {
  it.each(['https://push.example', 'https://8.8.8.8', 'https://[2a00:1450:4001::1]:8443/x'])('may be %s', (url) => {
    expect(() => assertPublicEndpoint(new URL(url))).not.toThrow();
  });

  it.each(['https://127.0.0.1', 'https://[::1]', 'https://10.0.0.1:8443', 'https://0x7f.1'])(
    'is not %s, which is an address of a private network',
    (url) => {
      expect(() => assertPublicEndpoint(new URL(url))).toThrow(PrivateAddressError);
    },
  );

  it.each(['http://push.example', 'http://8.8.8.8', 'ftp://push.example'])('is not %s, which has no TLS', (url) => {
    expect(() => assertPublicEndpoint(new URL(url))).toThrow(PlainEndpointError);
  });
});

describe('the lookup of public addresses', () => {
  const look = (host: string, all: boolean): Promise<unknown[]> =>
    new Promise((done) => publicLookup(host, { all }, (...answer) => done(answer)));

  it('gives a public address in the form that is asked for', async () => {
    expect(await look('8.8.8.8', true)).toEqual([null, [{ address: '8.8.8.8', family: 4 }]]);
    expect(await look('8.8.8.8', false)).toEqual([null, '8.8.8.8', 4]);
  });

  it.each([true, false])('gives no address of a private network, all of them asked for: %s', async (all) => {
    const [error, found] = await look('127.0.0.1', all);
    expect(error).toMatchObject({ code: 'PRIVATE_ADDRESS', message: '127.0.0.1 is not a public address' });
    expect(found).toEqual(all ? [] : '');
  });
});
