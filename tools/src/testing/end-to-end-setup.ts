import { join } from 'node:path';
import { findNodeOfImages, NODE_DOWNLOADS } from '../image/node-binary';
import globalSetup from './global-setup';

const ROOT = join(__dirname, '..', '..', '..');

/**
 * As for the other tests, and finds the Node.js of the images, on which half of the end-to-end tests run their processes
 * (`e2e/src/support/node-of-test.ts`): `POSTRIDER_TEST_NODE` tells the tests where it is.
 */
export default async function endToEndSetup(): Promise<void> {
  await globalSetup();
  const node = await findNodeOfImages(join(ROOT, NODE_DOWNLOADS)).catch((error: unknown) => {
    if (process.env.REQUIRE_PROGRAMS === 'true') throw error;
    console.warn(error);
    return null;
  });
  if (node !== null) process.env.POSTRIDER_TEST_NODE = node;
  else
    console.warn(
      `All end-to-end tests run their processes on Node.js ${process.versions.node}: no other one is there.`,
    );
}
