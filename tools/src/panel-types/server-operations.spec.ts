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
});
