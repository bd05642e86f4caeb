import type { ApnsPayload, MessageContent } from '@postrider/domain';
import { createRenderer } from '../create-renderer';
import { FULL_MESSAGE, FULL_NOTIFICATION, sampleMessage, SHOP } from '../testing/samples';

const render = (content: Partial<MessageContent>): ApnsPayload =>
  createRenderer(sampleMessage(content), SHOP).payloadFor('apns', { deviceType: 'ios' }) as ApnsPayload;

describe('what APNs gets', () => {
  it('puts each field where iOS reads it', () => {
    const { body, ...headers } = createRenderer(FULL_MESSAGE, SHOP).payloadFor('apns', {
      deviceType: 'iOS',
    }) as ApnsPayload;
    expect(headers).toEqual({ vendor: 'apns', pushType: 'alert', priority: 10, collapseId: FULL_MESSAGE.id });
    expect(body).toMatchObject({
      aps: {
        alert: { title: 'Sale', body: 'Half price' },
        sound: 'bell.mp3',
        'thread-id': 'offers',
        category: 'OFFER',
        'content-available': 1,
        'mutable-content': 1,
      },
      mid: FULL_MESSAGE.id,
      content: 'Hello',
      data: { from: 'a reserved word', nested: { n: 1 } },
      trackId: 'spring-1',
      clientId: 'client-7',
      extra: { campaignColor: 'green' },
      clickUrl: 'https://shop.example/sale',
      mediaType: 'image',
      mediaUrl: 'https://cdn.example/sale.png',
      notification: { icon: 'bag', smallIcon: 'ic_sale', ledColor: '#80FF0000', extra: FULL_NOTIFICATION.extra },
    });
  });

  it('opens the application for an action with a deep link, and leaves web links alone', () => {
    const { actions } = render({ notification: FULL_NOTIFICATION }).body as { actions: { options: number }[] };
    expect(actions.map(({ options }) => options)).toEqual([1 | 4, 2]);
  });

  it('sends a silent message in the background with priority 5 and nothing to show', () => {
    const payload = render({ silent: true, notification: { title: 'T', sound: 's' } });
    expect(payload).toMatchObject({ pushType: 'background', priority: 5 });
    expect(payload.body.aps).toEqual({ 'content-available': 1 });
  });

  it('always carries an alert otherwise, autoNotify or not', () => {
    expect(render({}).body.aps).toEqual({ alert: { title: 'Shop', body: 'You have a new message' } });
  });

  it('turns mutable-content on for media', () => {
    expect(render({ notification: { mediaUrl: 'https://x.example/a.mp4' } }).body.aps).toMatchObject({
      'mutable-content': 1,
    });
  });

  it('lets no field of the caller touch aps', () => {
    const payload = render({ extra: { aps: { badge: 99 } }, notification: { extra: { aps: { badge: 98 } } } });
    expect(payload.body.aps).toEqual({ alert: { title: 'Shop', body: 'You have a new message' } });
  });
});
