import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FcmPayload, JsonObject, MessageContent } from '@postrider/domain';
import Ajv2020 from 'ajv/dist/2020';
import { createRenderer } from '../create-renderer';
import { measurePayload, VENDOR_LIMITS } from './payload-size';
import { FULL_MESSAGE, FULL_NOTIFICATION, sampleMessage, SHOP } from '../testing/samples';

const render = (content: Partial<MessageContent>, deviceType = 'android'): JsonObject =>
  (createRenderer(sampleMessage(content), SHOP).payloadFor('fcm', { deviceType }) as FcmPayload).message;
const envelope = (message: JsonObject): JsonObject => JSON.parse((message.data as { m: string }).m) as JsonObject;

describe('what FCM gets for Android', () => {
  it('is by default a data message with everything in one string, that wakes the phone', () => {
    const message = render({ ...FULL_MESSAGE.content, autoNotify: false });
    expect(message.android).toEqual({ priority: 'HIGH' });
    expect(message).not.toHaveProperty('notification');
    expect(envelope(message)).toMatchObject({
      id: FULL_MESSAGE.id,
      data: { from: 'a reserved word', nested: { n: 1 } },
      extra: { campaignColor: 'green' },
      notification: { title: 'Sale', clickUrl: 'https://shop.example/sale', extra: { vibrate: [200, 100] } },
    });
    expect((envelope(message).notification as JsonObject).actions).toHaveLength(2);
  });

  it('has what is shown as keys of their own too, every value a string, while there is room', () => {
    const { data } = render({ ...FULL_MESSAGE.content, autoNotify: false });
    expect(data).toMatchObject({
      mid: FULL_MESSAGE.id,
      title: 'Sale',
      body: 'Half price',
      clickUrl: 'https://shop.example/sale',
    });
    expect(Object.values(data as JsonObject).every((value) => typeof value === 'string')).toBe(true);
    expect(JSON.parse((data as { actions: string }).actions)).toHaveLength(2);

    const long = render({ notification: { title: 'Long', body: 'x'.repeat(2_000) } });
    expect(Object.keys(long.data as JsonObject).sort()).toEqual(['m', 'mid']);
    expect((envelope(long).notification as JsonObject).title).toBe('Long');
  });

  it('is a notification with autoNotify', () => {
    expect(render({ ...FULL_MESSAGE.content, autoNotify: true }).android).toEqual({
      priority: 'HIGH',
      notification: {
        title: 'Sale',
        body: 'Half price',
        icon: 'ic_sale',
        sound: 'bell.mp3',
        image: 'https://cdn.example/sale.png',
        light_settings: {
          color: { alpha: 0.502, red: 1, green: 0, blue: 0 },
          light_on_duration: '1s',
          light_off_duration: '2s',
        },
        tag: FULL_MESSAGE.id,
      },
    });
  });

  it('gives the flat keys up for a text that autoNotify repeats, rather than being too big', () => {
    const payload = (body: string): FcmPayload =>
      createRenderer(
        sampleMessage({ content: body, useAsAlert: true, autoNotify: true, notification: undefined }),
        SHOP,
      ).payloadFor('fcm', { deviceType: 'android' }) as FcmPayload;
    expect(Object.keys(payload('Hello').message.data as JsonObject)).toContain('body');
    const long = payload('x'.repeat(1_200));
    expect(Object.keys(long.message.data as JsonObject).sort()).toEqual(['m', 'mid']);
    expect(measurePayload(long)).toBeLessThanOrEqual(VENDOR_LIMITS.fcm);
  });

  it('is data alone when silent, autoNotify or not', () => {
    expect(render({ silent: true, autoNotify: true, notification: FULL_NOTIFICATION }).android).toEqual({
      priority: 'NORMAL',
    });
  });

  it('carries a track id in the statistics only where their alphabet allows it, and always in the data', () => {
    expect(render({ trackId: 'spring-1' }).fcm_options).toEqual({ analytics_label: 'spring-1' });
    const odd = render({ trackId: 'بهار' });
    expect(odd).not.toHaveProperty('fcm_options');
    expect(envelope(odd).trackId).toBe('بهار');
  });
});

describe('what FCM gets for iOS', () => {
  it('is what APNs would get', () => {
    const renderer = createRenderer(FULL_MESSAGE, SHOP);
    const { message } = renderer.payloadFor('fcm', { deviceType: 'ios' }) as FcmPayload;
    const apns = renderer.payloadFor('apns', { deviceType: 'ios' });
    expect(message.apns).toEqual({
      headers: { 'apns-push-type': 'alert', 'apns-priority': '10', 'apns-collapse-id': FULL_MESSAGE.id },
      payload: apns.vendor === 'apns' && apns.body,
    });
  });

  it('has priority 5 when silent', () => {
    expect(render({ silent: true }, 'ios').apns).toMatchObject({ headers: { 'apns-priority': '5' } });
  });
});

describe('the schema of FCM v1', () => {
  const schema = readFileSync(join(__dirname, '../testing/fcm-send-request.schema.json'), 'utf8');
  const validate = new Ajv2020({ strict: false }).compile(JSON.parse(schema) as object);
  const contents: [string, Partial<MessageContent>][] = [
    ['the smallest message', {}],
    ['a silent one', { silent: true }],
    ['contentAvailable alone', { content: undefined, notification: { contentAvailable: true } }],
    ['every field as data', { ...FULL_MESSAGE.content, autoNotify: false }],
    ['every field as a notification', FULL_MESSAGE.content],
    ['a short colour', { autoNotify: true, notification: { ledColor: '#0f0' } }],
    ['no colour at all', { autoNotify: true, notification: { ledColor: 'green' } }],
  ];
  it.each(
    contents.flatMap(([name, content]) => ['android', 'ios', 'web'].map((type) => [name, type, content] as const)),
  )('takes %s for %s', (_name, deviceType, content) => {
    const request = { message: { ...render(content, deviceType), token: 't' } };
    expect(validate(request) ? null : validate.errors).toBeNull();
  });
});
