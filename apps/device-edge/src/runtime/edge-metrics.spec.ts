import { Registry } from 'prom-client';
import type { Config } from '@postrider/platform';
import { SessionRegistry } from '../session/session-registry';
import { EdgeMetrics } from './edge-metrics';

describe('the metrics of an edge', () => {
  it('count packets by kind and direction, whenever they are read', async () => {
    const registry = new Registry();
    const metrics = new EdgeMetrics(registry, new SessionRegistry({} as Config));
    const said = async (): Promise<string[]> =>
      (await registry.metrics()).split('\n').filter((line) => line.startsWith('postrider_connection_packets_total{'));
    metrics.countPacket('publish', 'out');
    metrics.countPacket('publish', 'out');
    expect(await said()).toEqual(['postrider_connection_packets_total{packet="publish",direction="out"} 2']);
    metrics.countPacket('puback', 'in');
    metrics.countPacket('publish', 'out');
    const both = [
      'postrider_connection_packets_total{packet="puback",direction="in"} 1',
      'postrider_connection_packets_total{packet="publish",direction="out"} 3',
    ];
    expect((await said()).sort()).toEqual(both);
    expect((await said()).sort()).toEqual(both);
  });
});
