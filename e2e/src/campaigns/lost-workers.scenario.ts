import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@postrider/testing';
import { Campaign } from '../support/campaign';
import type { CampaignStage } from './campaign-stage';

const OTHERS = 200;

/** Work that kills the worker that does it. */
export function lostWorkersScenario(stage: () => CampaignStage): void {
  const tokenOf = async (appId: string): Promise<string> => {
    const sql = `SELECT token FROM installations WHERE app_id = $1`;
    const [device] = await stage().query<{ token: string }>(sql, [appId]);
    return device?.token ?? '';
  };

  const log = (): Promise<string> => readFile(join(stage().postrider.system.logFolder, 'delivery-worker.log'), 'utf8');

  it('kills three of them, has failed then as worker_lost, and everybody else is reached', async () => {
    const server = await Campaign.prepare(stage().postrider, 'poison', 1);
    const others = await Campaign.prepare(stage().postrider, 'others', OTHERS);
    const token = await tokenOf('poison');
    await stage().simulator.setFaults({ match: { token }, fault: { kind: 'hang' } });
    const poison = await Campaign.start('poison', server);
    for (let kills = 1; kills <= 3; kills++) {
      // Its vendor has the request: that is what kills the worker.
      await until(async () => (await stage().simulator.tokens()).get(token) === kills);
      stage().postrider.system.kill('delivery-worker');
    }
    const campaign = await Campaign.start('others', others);
    expect(await campaign.untilDone()).toMatchObject({ totals: { sent: OTHERS, failed: 0 } });
    expect(await poison.untilDone()).toMatchObject({ totals: { sent: 0, failed: 1, pending: 0 } });
    const { body } = await server.call('GET', `/api/push/messages/${poison.id}/deliveries`);
    expect(JSON.stringify(body)).toContain('worker_lost');
    await until(async () => (await log()).includes('"page.parked"'));
    expect((await stage().simulator.tokens()).get(token)).toBe(3);
  });
}
