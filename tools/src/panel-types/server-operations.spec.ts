import { describeApi } from '@postrider/gateway/describe-api';
import { Postrider } from '@postrider/server';

describe('the client for backends', () => {
  it('has a method for every operation of the API', async () => {
    const { paths } = await describeApi();
    const ids = Object.values(paths).flatMap((item) =>
      Object.values(item as Record<string, { operationId?: string }>).map(({ operationId }) => operationId),
    );
    expect(ids.length).toBeGreaterThan(100);
    const client = new Postrider({ url: 'https://push.example', token: 't' }) as unknown as Record<string, unknown>;
    expect(ids.filter((id) => typeof client[id ?? ''] !== 'function')).toEqual([]);
  });

  it('downloads a list that is to be had as CSV too, and pages through it as JSON', async () => {
    const asked: string[] = [];
    const call = (input: unknown): Promise<Response> => {
      asked.push(new URL(String(input)).search);
      return Promise.resolve(new Response('userId\r\n', { headers: { 'content-type': 'text/csv' } }));
    };
    const client = new Postrider({ url: 'https://push.example', token: 't', fetch: call });
    expect(await (await client.listUsersAsCsv({ prefix: 'a' })).text()).toBe('userId\r\n');
    expect(asked).toEqual(['?prefix=a&format=csv']);
    expect(client.listUsers({ prefix: 'a' })).toHaveProperty([Symbol.asyncIterator]);
  });
});
