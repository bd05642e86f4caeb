import { createRenderer } from '../create-renderer';
import { FULL_MESSAGE, FULL_NOTIFICATION, sampleMessage, SHOP } from '../testing/samples';

const ANDROID = { deviceType: 'android' };

describe('what goes over the own connection', () => {
  it('has every field of message, notification and action, and the unknown ones apart', () => {
    expect(createRenderer(FULL_MESSAGE, SHOP).connectionPayload(ANDROID)).toEqual({
      id: FULL_MESSAGE.id,
      content: 'Hello',
      data: { from: 'a reserved word', nested: { n: 1 } },
      channel: 'public/default',
      trackId: 'spring-1',
      clientId: 'client-7',
      alertText: 'Look',
      createdAt: 1_763_730_000_000,
      expireAt: 1_763_733_600_000,
      useAsAlert: true,
      inApp: true,
      live: true,
      autoNotify: true,
      extra: { campaignColor: 'green' },
      notification: {
        ...FULL_NOTIFICATION,
        notifDelivery: true,
        actions: [
          {
            id: 'buy',
            title: 'Buy',
            options: 1,
            icon: 'cart',
            url: 'shop://cart?add=1',
            extra: { placeholder: 'x', action: 'buy-now' },
          },
          { id: 'web', title: 'Web', options: 2, icon: 'globe', url: 'https://shop.example' },
        ],
      },
    });
  });

  it('has no notification block when silent', () => {
    const payload = createRenderer(
      sampleMessage({ silent: true, notification: { title: 'T' } }),
      SHOP,
    ).connectionPayload(ANDROID);
    expect(payload).toMatchObject({ silent: true, content: 'Hello' });
    expect(payload).not.toHaveProperty('notification');
  });

  it('has what browsers know among its own fields for a browser', () => {
    const payload = createRenderer(FULL_MESSAGE, SHOP).connectionPayload({ deviceType: 'web' });
    expect(payload.notification).toMatchObject({ vibrate: [200, 100], dir: 'rtl', extra: { color: '#fff' } });
    expect(payload.extra).toEqual({ campaignColor: 'green' });
  });
});
