import { Counter, Gauge } from 'prom-client';
import { createMetrics } from './metrics';
import { scrape } from './scrape';

describe('a scrape', () => {
  it('has every metric, in the text format of Prometheus', async () => {
    const registry = createMetrics('test');
    new Counter({ name: 'sent', help: 'h', labelNames: ['vendor'], registers: [registry] }).inc({ vendor: 'fcm' }, 3);
    const text = await scrape(registry);
    const described = (one: string): RegExpMatchArray | null => one.match(/^# .*$/gm);
    expect(described(text)).toEqual(described(await registry.metrics()));
    expect(text).toContain('\n\n# HELP sent h\n# TYPE sent counter\nsent{vendor="fcm",app="test"} 3\n');
  });

  it('leaves out what does not answer in time, and has everything else', async () => {
    const registry = createMetrics('test');
    let answer = (): void => undefined;
    new Gauge({
      name: 'far_away',
      help: 'h',
      registers: [registry],
      collect() {
        return new Promise<void>((resolve) => (answer = resolve));
      },
    });
    new Gauge({ name: 'here', help: 'h', registers: [registry] }).set(7);
    const text = await scrape(registry, 1);
    expect(text).toContain('here{app="test"} 7');
    expect(text).not.toContain('far_away');
    const next = scrape(registry);
    answer();
    expect(await next).toContain('far_away{app="test"} 0');
  });

  it('fails where a metric fails', async () => {
    const registry = createMetrics('test');
    const collect = (): Promise<void> => Promise.reject(new Error('a mistake'));
    new Gauge({ name: 'broken', help: 'h', registers: [registry], collect });
    await expect(scrape(registry)).rejects.toThrow('a mistake');
  });
});
