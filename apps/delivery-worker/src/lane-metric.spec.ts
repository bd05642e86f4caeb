import { Registry } from 'prom-client';
import { LaneMetric } from './lane-metric';

describe('the metric of lanes', () => {
  it.each([
    ['all', ['transactional', 'campaign']],
    ['campaign', ['campaign']],
    ['transactional', ['transactional']],
  ] as const)('has a series for each lane that a worker of %s takes, and none for the others', async (lanes, taken) => {
    const registry = new Registry();
    new LaneMetric(registry, { deliveryLanes: lanes });
    const [metric] = await registry.getMetricsAsJSON();
    expect(metric?.values.map(({ labels, value }) => [labels.lane, value])).toEqual(taken.map((lane) => [lane, 1]));
  });
});
