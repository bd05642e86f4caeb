import type { MessageContent, Notification } from '@postrider/domain';
import type { RenderableApplication, RenderableMessage } from '../renderable';

/** The application of the tests. */
export const SHOP: RenderableApplication = { name: 'Shop', defaultAlertText: 'You have a new message' };

/** A message with the given content. Other fields are not set. */
export function sampleMessage(content: Partial<MessageContent> = {}): RenderableMessage {
  return {
    id: '0199f000-0000-7000-8000-000000000001',
    kind: 'users',
    channel: 'public/default',
    acceptedAt: new Date(1_763_730_000_000),
    expiresAt: new Date(1_763_733_600_000),
    content: {
      content: 'Hello',
      useAsAlert: false,
      silent: false,
      inApp: false,
      live: false,
      autoNotify: false,
      ...content,
    },
  };
}

/** Every field of a notification and an action, and one unknown field of each. */
export const FULL_NOTIFICATION: Notification = {
  title: 'Sale',
  body: 'Half price',
  groupId: 'offers',
  icon: 'bag',
  sound: 'bell.mp3',
  clickUrl: 'https://shop.example/sale',
  ledColor: '#80FF0000',
  smallIcon: 'ic_sale',
  mediaType: 'image',
  mediaUrl: 'https://cdn.example/sale.png',
  contentAvailable: true,
  mutableContent: true,
  category: 'OFFER',
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
  extra: { vibrate: [200, 100], dir: 'rtl', color: '#fff' },
};

/** Every field of a message. */
export const FULL_MESSAGE = sampleMessage({
  content: 'Hello',
  data: { from: 'a reserved word', nested: { n: 1 } },
  trackId: 'spring-1',
  clientId: 'client-7',
  alertText: 'Look',
  useAsAlert: true,
  inApp: true,
  live: true,
  autoNotify: true,
  notification: FULL_NOTIFICATION,
  extra: { campaignColor: 'green' },
});
