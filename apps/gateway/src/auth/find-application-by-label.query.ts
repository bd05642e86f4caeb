import { type Executor, rows } from '@postrider/persistence';

/** The id of the application that a host's first label names, or null. A host name knows no case: no two ids differ by it alone. */
export async function findApplicationByLabel(executor: Executor, label: string): Promise<string | null> {
  const [found] = await rows<{ appId: string }>(
    executor,
    `SELECT app_id AS "appId" FROM applications WHERE lower(app_id) = $1`,
    [label.toLowerCase()],
  );
  return found?.appId ?? null;
}
