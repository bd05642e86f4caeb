import { type DeviceId, HOUR_MS } from '@postrider/domain';
import type { PageKey } from '@postrider/persistence';
import { createThrowAwayDatabase, type RenewableDatabase, TestClock, useStage } from '@postrider/testing';
import { FakeSender } from './fake-sender';
import { APP_ID, Ledger } from './ledger';
import { startTestWorker, storeCredentials, type TestWorker, type TestWorkerOptions } from './test-worker';

/** The base of a test of pages: a database with one application that has FCM credentials, a vendor and a clock. */
export class PageStage {
  database!: RenewableDatabase;
  ledger!: Ledger;
  clock!: TestClock;
  sender!: FakeSender;
  #workers: TestWorker[] = [];

  async open(): Promise<void> {
    this.database = await createThrowAwayDatabase();
  }

  async begin(): Promise<void> {
    this.ledger = new Ledger(this.database);
    this.clock = new TestClock();
    this.sender = new FakeSender('fcm');
    await this.ledger.addApplication();
    await storeCredentials(this.database, APP_ID, this.clock.now());
  }

  /** Stops the workers first: one with outcomes to record would try until the database is back. */
  end(): Promise<void> {
    for (const worker of this.#workers.splice(0)) worker.stop();
    return this.database.renew();
  }

  close(): Promise<void> {
    return this.database.drop();
  }

  worker(options: TestWorkerOptions = {}): TestWorker {
    const { clock, sender } = this;
    const worker = startTestWorker(this.database, { clock, sender, ...options });
    this.#workers.push(worker);
    return worker;
  }

  /** Adds devices that were registered an hour ago. */
  addDevices(count: number): Promise<DeviceId[]> {
    return this.ledger.addDevices(count, new Date(this.clock.now().getTime() - HOUR_MS));
  }

  /** Adds a message to this many devices of its own, all on one page. */
  async pageOf(count: number, ttlSeconds?: number): Promise<{ key: PageKey; devices: DeviceId[] }> {
    const devices = await this.addDevices(count);
    const key = await this.ledger.addMessage({ devices, acceptedAt: this.clock.now(), ttlSeconds });
    return { key, devices };
  }
}

/** A stage for each test of the file, on one database that is emptied after it. */
export function usePageStage(): PageStage {
  return useStage(new PageStage());
}
