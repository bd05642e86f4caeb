import type { SmsAccount } from '@postrider/persistence';
import {
  createThrowAwayDatabase,
  emptyAllTables,
  TestClock,
  type ThrowAwayDatabase,
  useStage,
} from '@postrider/testing';
import { FakeSmsSender } from './fake-sms-sender';
import { APP_ID, FallbackLedger } from './fallback-ledger';
import { ANY_CREDENTIALS, type FallbackWorker, startFallbackWorker, storeSmsCredentials } from './fallback-worker';

export const ADA = '+14155550001';
export const BOB = '+14155550002';

/**
 * The base of a test of fallback SMS: a database with one application that has a provider, the provider and a clock.
 */
export class FallbackStage {
  database!: ThrowAwayDatabase;
  ledger!: FallbackLedger;
  clock!: TestClock;
  sender!: FakeSmsSender;
  worker!: FallbackWorker;

  async open(): Promise<void> {
    this.database = await createThrowAwayDatabase(10);
    this.ledger = new FallbackLedger(this.database);
  }

  async begin(): Promise<void> {
    await emptyAllTables(this.database.dataSource);
    this.clock = new TestClock();
    this.sender = new FakeSmsSender();
    this.worker = this.startAnother();
    await this.ledger.addApplication();
    await this.storeCredentials();
  }

  close(): Promise<void> {
    return this.database.drop();
  }

  now(): Date {
    return this.clock.now();
  }

  startAnother(): FallbackWorker {
    return startFallbackWorker(this.database.dataSource, this.clock, { makeSender: () => this.sender });
  }

  storeCredentials(settings: object = {}): Promise<void> {
    const credentials = { ...ANY_CREDENTIALS, ...settings };
    return storeSmsCredentials(this.database.dataSource, APP_ID, credentials, this.now());
  }

  /** The provider and the credentials that are stored now. */
  async account(): Promise<SmsAccount> {
    const [stored] = await this.ledger.run<{ revision: string }>(`SELECT revision FROM vendor_credentials`);
    return { provider: this.sender.provider, revision: stored?.revision ?? null };
  }

  /** Lets time pass, and then lets the worker run. */
  async pass(seconds: number): Promise<void> {
    this.clock.advance(seconds * 1_000);
    await this.worker.turn();
  }
}

/** A stage for each test of the file, on one database that is emptied before it: a worker of a test does nothing unasked. */
export function useFallbackStage(): FallbackStage {
  return useStage(new FallbackStage());
}
