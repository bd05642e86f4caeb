import { PUSH_VENDORS } from '@postrider/domain';
import { createRenderer } from './create-renderer';
import { VENDOR_LIMITS } from './payloads/payload-size';
import { sampleMessage, SHOP } from './testing/samples';

describe('a renderer', () => {
  it('gives the very same object to devices that get the same', () => {
    const renderer = createRenderer(sampleMessage(), SHOP);
    expect(renderer.payloadFor('fcm', { deviceType: 'android' })).toBe(
      renderer.payloadFor('fcm', { deviceType: 'Android' }),
    );
    expect(renderer.payloadFor('fcm', { deviceType: 'ios' })).not.toBe(
      renderer.payloadFor('fcm', { deviceType: null }),
    );
    expect(renderer.connectionPayload({ deviceType: 'x' })).toBe(renderer.connectionPayload({ deviceType: null }));
  });

  it.each(PUSH_VENDORS)('measures bytes, not characters, against the limit of %s', (vendor) => {
    const size = (data: string): number => createRenderer(sampleMessage({ data }), SHOP).measure(vendor, 'android');
    expect(size('a'.repeat(100))).toBeLessThan(VENDOR_LIMITS[vendor]);
    expect(size('ش'.repeat(100)) - size('a'.repeat(100))).toBe(100);
    expect(size('a'.repeat(VENDOR_LIMITS[vendor]))).toBeGreaterThan(VENDOR_LIMITS[vendor]);
  });

  it('measures what FCM passes to APNs for an iOS device', () => {
    const renderer = createRenderer(sampleMessage(), SHOP);
    expect(renderer.measure('fcm', 'ios')).toBe(renderer.measure('apns', 'ios'));
  });
});
