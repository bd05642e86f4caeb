import { type Executor, rows } from '../database/executor';

/** How far a new application has come. */
export interface FirstSteps {
  hasVendor: boolean;
  hasDevice: boolean;
  hasMessage: boolean;
}

/** Whether an application has a vendor, a device, a message at all. */
export async function findFirstSteps(executor: Executor, appId: string): Promise<FirstSteps> {
  const [found] = await rows<FirstSteps>(
    executor,
    `SELECT EXISTS (SELECT 1 FROM vendor_credentials WHERE app_id = $1 AND vendor <> 'sms') AS "hasVendor",
       EXISTS (SELECT 1 FROM installations WHERE app_id = $1) AS "hasDevice",
       EXISTS (SELECT 1 FROM messages WHERE app_id = $1) AS "hasMessage"`,
    [appId],
  );
  return found ?? { hasVendor: false, hasDevice: false, hasMessage: false };
}
