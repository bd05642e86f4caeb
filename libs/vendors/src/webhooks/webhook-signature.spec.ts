import { createHmac } from 'node:crypto';
import { generateWebhookSecret, webhookHeaders } from './webhook-signature';

describe('signing webhooks', () => {
  it('signs as the reference example of Standard Webhooks', () => {
    // The vector that its libraries test with.
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const at = new Date(1_614_265_330_000);
    const signed = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', at, body: '{"test": 2432232314}' };
    expect(webhookHeaders(signed, [secret])).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('gives one signature for each secret', () => {
    const secrets = [generateWebhookSecret(), generateWebhookSecret()];
    const body = '{"name":"Zoë"}';
    const headers = webhookHeaders({ id: 'x', at: new Date(5_999), body }, secrets);
    const wanted = secrets.map((secret) =>
      createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
        .update(`x.5.${body}`, 'utf8')
        .digest('base64'),
    );
    expect(headers['webhook-signature']).toBe(wanted.map((signature) => `v1,${signature}`).join(' '));
  });

  it('begins with a secret of 32 bytes that nobody had before', () => {
    const secrets = Array.from({ length: 100 }, generateWebhookSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
  });
});
