import type { HealthRegistry } from '@postrider/platform';
import { type QueueInspector, QueueUnavailable } from '@postrider/queues';
import { DeliveryLanesCheck } from './delivery-lanes.check';

describe('the check of delivery workers', () => {
  const checkOf = (hasWorker: (queue: string) => boolean): Promise<void> =>
    new DeliveryLanesCheck(
      {} as HealthRegistry,
      { hasWorker: (queue: string) => Promise.resolve(queue).then(hasWorker) } as unknown as QueueInspector,
    ).check();

  it('is content with workers for both lanes', async () => {
    await expect(checkOf(() => true)).resolves.toBeUndefined();
  });

  it('names the lane that no worker takes', async () => {
    const ofCampaigns = checkOf((queue) => queue.endsWith('.campaign'));
    await expect(ofCampaigns).rejects.toThrow('takes the lane transactional (messages to named users)');
    const ofNamed = checkOf((queue) => !queue.endsWith('.campaign'));
    await expect(ofNamed).rejects.toThrow('takes the lane campaign (campaigns)');
    await expect(checkOf(() => false)).rejects.toThrow('(messages to named users) and campaign (campaigns)');
  });

  it('says nothing while Redis is away', async () => {
    const away = checkOf(() => {
      throw new QueueUnavailable('away');
    });
    await expect(away).resolves.toBeUndefined();
  });
});
