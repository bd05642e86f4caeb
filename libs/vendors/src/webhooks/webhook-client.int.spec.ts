import { standStillUntilAnswered } from '../testing/standstill';
import { WebhookClient } from './webhook-client';

describe('a webhook', () => {
  it('has the answer that came while the process stood still', async () => {
    const deadlineMs = 500;
    const client = new WebhookClient({ allowPrivateEndpoints: true, deadlineMs, connectionsPerOrigin: 1 });
    const result = await standStillUntilAnswered(
      (port) => client.post(`http://127.0.0.1:${port}`, {}, '{}'),
      deadlineMs + 50,
    );
    await client.close();
    expect(result).toEqual({ kind: 'answer', status: 200, retryAfter: undefined });
  });
});
