import type { WebPushPayload } from '@postrider/domain';
import { createRenderer } from '../create-renderer';
import { FULL_MESSAGE, sampleMessage, SHOP } from '../testing/samples';

describe('what a service worker reads', () => {
  it('has the fields under the names of the browser, what it and we do not know apart', () => {
    const payload = createRenderer(FULL_MESSAGE, SHOP).payloadFor('webpush', { deviceType: 'web' }) as WebPushPayload;
    expect(payload.urgency).toBe('high');
    expect(payload.body).toMatchObject({
      title: 'Sale',
      body: 'Half price',
      icon: 'bag',
      badge: 'ic_sale',
      image: 'https://cdn.example/sale.png',
      mediaUrl: 'https://cdn.example/sale.png',
      clickUrl: 'https://shop.example/sale',
      tag: 'offers',
      dir: 'rtl',
      vibrate: [200, 100],
      silent: false,
      messageId: FULL_MESSAGE.id,
      trackId: 'spring-1',
      notifDelivery: true,
      data: { from: 'a reserved word', nested: { n: 1 } },
      content: 'Hello',
      clientId: 'client-7',
      sound: 'bell.mp3',
      category: 'OFFER',
      extra: { campaignColor: 'green', color: '#fff' },
    });
    expect(payload.body).not.toHaveProperty('color');
    expect(payload.body.actions).toEqual([
      {
        action: 'buy-now',
        id: 'buy',
        title: 'Buy',
        options: 1,
        icon: 'cart',
        url: 'shop://cart?add=1',
        extra: { placeholder: 'x' },
      },
      { action: 'web', id: 'web', title: 'Web', options: 2, icon: 'globe', url: 'https://shop.example' },
    ]);
  });

  it('has nothing to show and no hurry when silent', () => {
    const payload = createRenderer(sampleMessage({ silent: true }), SHOP).payloadFor('webpush', { deviceType: null });
    expect(payload).toMatchObject({ urgency: 'low', body: { silent: true, content: 'Hello' } });
    expect((payload as WebPushPayload).body).not.toHaveProperty('title');
  });
});
