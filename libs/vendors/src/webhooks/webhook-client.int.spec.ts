import { standStillUntilAnswered } from '../testing/standstill';
import { type WebhookAnswer, WebhookClient } from './webhook-client';

describe('a webhook', () => {
  it('has the answer that came while the process stood still', async () => {
    const deadlineMs = 250_000;
    const client = new WebhookClient({ allowPrivateEndpoints: true, deadlineMs, connectionsPerOrigin: 1 });
    const send = (port: number): Promise<WebhookAnswer> => client.post(`http://127.0.0.1:${port}`, {}, '{}');
    const result = await standStillUntilAnswered(send, deadlineMs);
    await client.close();
    expect(result).toEqual({ kind: 'answer', status: 200, retryAfter: undefined });
  });
});
