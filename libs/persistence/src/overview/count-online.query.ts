import { type Executor, rows } from '../database/executor';
import { edgeIsAlive } from '../presence/edge-silence';

/** How many devices of an application hold a connection now. */
export async function countOnline(executor: Executor, appId: string): Promise<number> {
  const [counted] = await rows<{ online: number }>(
    executor,
    `SELECT count(*)::float8 AS online FROM presence p JOIN edges e ON e.edge_id = p.edge_id AND ${edgeIsAlive('e')}
     WHERE p.app_id = $1`,
    [appId],
  );
  return counted?.online ?? 0;
}
