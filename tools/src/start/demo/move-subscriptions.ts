import { type Executor, rows, sql } from '@postrider/persistence';

/**
 * Gives the browsers of an application the present address of the simulator: a subscription names the address that
 * the simulator had when the subscription was made. Subscriptions of real push services stay as they are.
 *
 * @param origin the base address of the simulator's vendors
 */
export async function moveSubscriptions(executor: Executor, appId: string, origin: string): Promise<void> {
  const endpoint = `"endpoint":"${origin}/webpush/`;
  await rows(
    executor,
    sql`UPDATE installations SET token = regexp_replace(token, '"endpoint":"https://[^"/]+/webpush/', ${endpoint})
        WHERE app_id = ${appId} AND push_type = 'webpush' AND token ~ '"endpoint":"https://[^"/]+/webpush/'
          AND strpos(token, ${endpoint}) = 0`,
  );
}
