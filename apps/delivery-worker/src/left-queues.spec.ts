import { QUEUES } from '@postrider/queues';
import { leftQueues } from './left-queues';

const OF_DELIVERY_WORKERS = QUEUES.filter((queue) => /^(delivery\.|fallback$|webhook$)/.test(queue));

describe('the queues that a delivery worker leaves to others', () => {
  it('are none if the worker is for all lanes', () => {
    expect(leftQueues('all')).toEqual([]);
  });

  it('are worked by the other lane: together both lanes leave each queue once', () => {
    const left = [...leftQueues('campaign'), ...leftQueues('transactional')];
    expect(left.toSorted()).toEqual(OF_DELIVERY_WORKERS.toSorted());
  });

  it('are those of campaigns if the worker is for named users', () => {
    expect(leftQueues('transactional')).toEqual(OF_DELIVERY_WORKERS.filter((queue) => queue.endsWith('.campaign')));
  });
});
