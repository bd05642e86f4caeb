/**
 * The flags of Node.js by the name of the app. The manifests have the same ones as `NODE_OPTIONS`; in Kubernetes the heap of an
 * audience worker is smaller, since it has to fit in the memory limit.
 *
 * What a delivery worker holds fits in half of this. Without a limit Node.js lets garbage pile up to several times that before it
 * collects, since the machine has memory to spare. Little of a campaign's calls outlives a young collection, so a nursery of half
 * the usual size costs it about 1 µs a device, and saves 40 MB beside one of twice the usual size; the pages of named users are too
 * small for it to matter. An audience worker has a large nursery, because the stretches of an import outlive the
 * usual one, and a gateway, because its garbage is young. A promo worker's garbage is young too, but large: a small nursery gives
 * its buffers back. An audience worker comes nowhere near its limit; because of it V8 lets the heap grow to less than twice of
 * what is in use before it collects, and to four times without one.
 */
export const NODE_FLAGS: Readonly<Partial<Record<string, readonly string[]>>> = {
  'audience-worker': ['--max-old-space-size=1024', '--max-semi-space-size=32'],
  gateway: ['--max-semi-space-size=32'],
  'delivery-worker': ['--max-old-space-size=160', '--max-semi-space-size=8'],
  'delivery-worker-transactional': ['--max-old-space-size=128'],
  'promo-worker': ['--max-semi-space-size=4'],
};
