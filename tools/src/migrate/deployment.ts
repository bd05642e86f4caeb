import 'reflect-metadata';
import { readVariable } from '@postrider/platform';
import { checkEnvironment } from '../services/check-environment';
import { bringUpToDate, expectNoArguments } from './bring-up-to-date';

/** The step that a deployment runs before a roll-out: the migrations alone, on `DATABASE_URL`, which must be set. */
async function main(): Promise<void> {
  expectNoArguments();
  checkEnvironment();
  await bringUpToDate(readVariable('DATABASE_URL', process.env));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
