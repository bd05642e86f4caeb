import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HmsPayload, JsonObject, MessageContent } from '@postrider/domain';
import Ajv2020 from 'ajv/dist/2020';
import { createRenderer } from '../create-renderer';
import { FULL_MESSAGE, sampleMessage, SHOP } from '../testing/samples';

const render = (content: Partial<MessageContent>): JsonObject =>
  (createRenderer(sampleMessage(content), SHOP).payloadFor('hms', { deviceType: 'android' }) as HmsPayload).message;

describe('what Huawei gets', () => {
  it('is by default a data message', () => {
    const message = render({});
    expect(message.android).toEqual({ urgency: 'HIGH' });
    expect(JSON.parse(message.data as string)).toMatchObject({ content: 'Hello', notification: { title: 'Shop' } });
  });

  it('is a notification with autoNotify', () => {
    expect(render(FULL_MESSAGE.content).android).toMatchObject({
      urgency: 'HIGH',
      bi_tag: 'spring-1',
      notification: {
        title: 'Sale',
        body: 'Half price',
        click_action: { type: 2, url: 'https://shop.example/sale' },
        icon: '/raw/ic_sale',
        sound: '/raw/bell',
        default_sound: false,
        group: 'offers',
        image: 'https://cdn.example/sale.png',
        buttons: [
          { name: 'Buy', action_type: 1, intent: 'shop://cart?add=1' },
          { name: 'Web', action_type: 2, intent: 'https://shop.example' },
        ],
      },
    });
  });

  it.each([
    [undefined, { type: 3 }],
    ['app://screen', { type: 1, intent: 'app://screen' }],
    ['http://plain.example', { type: 3 }],
  ])('a click on %s', (clickUrl, expected) => {
    const android = render({ autoNotify: true, notification: { clickUrl } }).android as JsonObject;
    expect(android.notification).toMatchObject({ click_action: expected });
  });

  it.each([
    ['default', { default_sound: true }],
    ['default.mp3', { sound: '/raw/default', default_sound: false }],
    ['', {}],
  ])('has the sound that %j names: the device has its own, others are in the application', (sound, expected) => {
    const android = render({ autoNotify: true, notification: { sound } }).android as JsonObject;
    const { sound: file, default_sound: isDefault } = android.notification as JsonObject;
    expect({ sound: file, default_sound: isDefault }).toEqual({
      sound: undefined,
      default_sound: undefined,
      ...expected,
    });
  });

  it('has three buttons of 40 characters at most', () => {
    const actions = [1, 2, 3, 4].map((n) => ({ id: String(n), title: 'ü'.repeat(50) }));
    const android = render({ autoNotify: true, notification: { actions } }).android as JsonObject;
    const { buttons } = android.notification as { buttons: { name: string }[] };
    expect(buttons.map(({ name }) => name.length)).toEqual([40, 40, 40]);
  });

  it('has no button without a name, which Huawei would refuse with the whole message', () => {
    const actions = [
      { url: 'https://shop.example' },
      {},
      { title: '', id: '' },
      { title: '', id: 'buy' },
      { title: 'Web' },
    ];
    const buttonsOf = (some: object[]): unknown =>
      ((render({ autoNotify: true, notification: { actions: some } }).android as JsonObject).notification as JsonObject)
        .buttons;
    expect(buttonsOf(actions)).toMatchObject([{ name: 'buy' }, { name: 'Web' }]);
    expect(buttonsOf(actions.slice(0, 2))).toBeUndefined();
  });

  it('takes an empty text for none', () => {
    const notification = { icon: '', smallIcon: '', sound: '', groupId: '', clickUrl: '', mediaUrl: '' };
    const actions = [{ title: 'Go', url: '' }];
    const android = render({ autoNotify: true, notification: { ...notification, actions } }).android as JsonObject;
    expect(android.notification).toEqual({
      title: 'Shop',
      body: 'You have a new message',
      click_action: { type: 3 },
      buttons: [{ name: 'Go', action_type: 0 }],
      tag: expect.any(String) as string,
    });
  });
});

describe('the schema of Huawei Push Kit', () => {
  const schema = readFileSync(join(__dirname, '../testing/hms-send-request.schema.json'), 'utf8');
  const validate = new Ajv2020({ strict: false }).compile(JSON.parse(schema) as object);

  it.each([{}, { silent: true, autoNotify: true }, FULL_MESSAGE.content])('takes %j', (content) => {
    validate({ message: { ...render(content), token: ['t'] } });
    expect(validate.errors ?? null).toBeNull();
  });
});
