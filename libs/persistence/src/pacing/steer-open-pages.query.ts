import { type Executor, rows } from '../database/executor';

/** Sends an application's open pages past the gate from now on: its limits changed while messages are under way. */
export async function steerOpenPages(executor: Executor, appId: string): Promise<void> {
  await rows(
    executor,
    `UPDATE pages SET is_steered = true WHERE app_id = $1 AND state <> 'finished' AND NOT is_steered`,
    [appId],
  );
}
