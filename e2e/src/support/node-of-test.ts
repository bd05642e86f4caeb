import { basename } from 'node:path';

/**
 * The test files whose processes run on the Node.js of the images (24). Those of all other files run on the Node.js that runs the
 * tests, which may be as old as 20.19. Both halves push through all processes and kill some of them.
 */
const ON_NODE_OF_IMAGES = new Set([
  'campaigns.spec.ts',
  'connection.spec.ts',
  'first-push.spec.ts',
  'one-system.spec.ts',
  'published-client.spec.ts',
  'traces.spec.ts',
  'vendors.spec.ts',
]);

/** The Node.js that runs the processes of this test file: the path of its binary. */
export function nodeOfTest(): string {
  const file = basename(expect.getState().testPath ?? '');
  const isOnImages = ON_NODE_OF_IMAGES.has(file);
  return (isOnImages ? process.env.POSTRIDER_TEST_NODE : undefined) ?? process.execPath;
}
