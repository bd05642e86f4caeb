import type { ImportFileKind } from '@postrider/contracts';
import { type ImportFormat, type SendOutcome, systemClock } from '@postrider/domain';
import {
  type Database,
  type DeviceImport,
  DeviceImportsRepository,
  DevicesRepository,
  FILE_CHUNK_BYTES,
  ImportsRepository,
  type LineError,
  rows,
  SegmentsRepository,
} from '@postrider/persistence';
import { createLogger, newId } from '@postrider/platform';
import { createThrowAwayDatabase, type RenewableDatabase, useStage } from '@postrider/testing';
import { ImportDevices, type ImportDevicesOutcome } from '../import-devices.service';
import type { StoredImportOptions } from '../read-import-records';
import { ValidateRecords } from '../validate-records.service';
import { WriteStretch } from '../write-stretch.service';

const logger = createLogger('test', { logLevel: 'silent', logFormat: 'json' });

/** Options of a file whose lines are tokens of FCM and users, without a header. */
export const FCM = { pushType: 'fcm', hasHeader: false } as const;

/** A file of OneSignal with three devices, an e-mail address, an empty line, and a type of device that is not known. */
export const ONESIGNAL = [
  'id,identifier,session_count,language,timezone,device_os,device_type,tags,last_active,created_at,invalid_identifier,external_user_id',
  '1,token-a,3,nl,3600,14,1,"{""plan"":""gold"",""vip"":""""}",2026-05-01 09:00:00,2026-01-01 00:00:00,f,ada',
  '2,token-b,1,fr,0,13,1,{},2026-05-02 09:00:00,2026-01-01 00:00:00,t,ada',
  '3,ada@example.org,1,nl,0,,11,{},,,f,ada',
  '',
  '4,token-c,1,de,0,12,99,{},,,f,bob',
  '5,0A1B,1,de,0,17,0,{},,,f,',
  '',
].join('\n');

/** A file of so many tokens, each with one of five hundred users. */
export function tokenList(count: number, prefix = 't'): string {
  return Array.from({ length: count }, (_, n) => `${prefix}${n},u${n % 500}`).join('\n');
}

/** The columns of `installations` that tests of imports read. */
export interface StoredDevice {
  userId: string;
  token: string;
  tokenStatus: string | null;
  locale: string | null;
  osVersion: string | null;
  launchTime: Date;
  installDate: Date;
  tags: string[];
  tagValues: object;
  channels: string[];
  usableVendor: string | null;
  registration: object;
  updatedAt: Date;
}

/** The answers of FCM about tokens, and the tokens that it was asked about. */
interface TestFcm {
  asked: string[];
  validate: (token: string, done: (outcome: SendOutcome) => void) => void;
}

/** The options of an upload. */
type UploadOptions = Partial<StoredImportOptions> & {
  kind?: ImportFileKind;
  appId?: string;
  fingerprint?: number | null;
};

/** Imports files of devices into a database of their own. */
export class TestImports {
  database!: Database;
  files!: DeviceImportsRepository;
  /** Null: the application has no credentials. */
  fcm: TestFcm | null = null;
  #throwAway!: RenewableDatabase;

  async open(): Promise<void> {
    this.#throwAway = await createThrowAwayDatabase(8);
  }

  /** Makes the applications `shop` and `other`. */
  async begin(): Promise<void> {
    this.database = this.#throwAway.dataSource;
    this.files = new DeviceImportsRepository(this.database);
    this.fcm = null;
    for (const appId of ['shop', 'other']) await this.makeApplication(appId);
  }

  /** Leaves nothing of the test that is over. */
  end(): Promise<void> {
    return this.#throwAway.renew();
  }

  close(): Promise<void> {
    return this.#throwAway.drop();
  }

  async makeApplication(appId: string): Promise<void> {
    await rows(this.database, `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ($1, $1, '')`, [
      appId,
    ]);
  }

  /** Sets the answers of FCM. */
  answer(outcomeOf: (token: string) => SendOutcome): void {
    const asked: string[] = [];
    this.fcm = {
      asked,
      validate: (token, done) => {
        asked.push(token);
        done(outcomeOf(token));
      },
    };
  }

  async upload(
    text: string | Buffer,
    format: ImportFormat,
    { kind = 'csv', appId = 'shop', fingerprint = null, ...options }: UploadOptions = {},
  ): Promise<string> {
    const content = Buffer.from(text);
    const key = { appId, jobId: newId() };
    const now = new Date();
    const stored = { format, mapping: null, pushType: null, hasHeader: true, ...options };
    await this.files.insert(key, { name: null, kind, options: stored, createdAt: now, giveUpAt: now });
    for (let number = 0; number * FILE_CHUNK_BYTES < content.length; number++) {
      const chunk = content.subarray(number * FILE_CHUNK_BYTES, (number + 1) * FILE_CHUNK_BYTES);
      await this.files.insertChunk(key, number, chunk);
    }
    if (fingerprint !== null) await this.files.identify(key, fingerprint);
    await this.files.start(key, { bytes: content.length, wakeAt: now });
    return key.jobId;
  }

  /** Takes one turn with a new worker. @param files where the worker keeps its progress */
  turn(
    jobId: string,
    {
      signal = new AbortController().signal,
      appId = 'shop',
      mayWait = false,
      files = this.files,
    }: { signal?: AbortSignal; appId?: string; mayWait?: boolean; files?: DeviceImportsRepository } = {},
  ): Promise<ImportDevicesOutcome> {
    return this.worker(files).work({ appId, jobId }, signal, mayWait);
  }

  /** @param files where the worker keeps its progress */
  worker(files = this.files): ImportDevices {
    const validation = new ValidateRecords({ find: () => Promise.resolve(this.fcm) } as never, { retryTimeScale: 0 });
    const repository = new ImportsRepository(new DevicesRepository(this.database));
    const segments = new SegmentsRepository(this.database);
    const writer = new WriteStretch(this.database, { retentionDays: 30 }, systemClock, files, repository, segments);
    return new ImportDevices(logger, files, validation, writer);
  }

  /** Imports a file of `shop` to its end. */
  async work(jobId: string, mayWait = false): Promise<{ job: DeviceImport; errors: LineError[] }> {
    while ((await this.turn(jobId, { mayWait })) === 'unfinished');
    const found = await this.files.findWithErrors({ appId: 'shop', jobId });
    if (!found) throw new Error('The job is gone');
    return found;
  }

  async importOf(...of: Parameters<TestImports['upload']>): ReturnType<TestImports['work']> {
    return this.work(await this.upload(...of));
  }

  /** All that is stored about the users and the devices of an application. */
  rowsOf(appId: string): Promise<unknown[]> {
    return rows(
      this.database,
      `SELECT to_jsonb(u) AS stored FROM users u WHERE app_id = $1
       UNION ALL SELECT to_jsonb(i) FROM installations i WHERE app_id = $1 ORDER BY stored`,
      [appId],
    );
  }

  devices(appId = 'shop'): Promise<StoredDevice[]> {
    return rows<StoredDevice>(
      this.database,
      `SELECT user_id AS "userId", token, token_status AS "tokenStatus", locale, os_version AS "osVersion",
         launch_time AS "launchTime", install_date AS "installDate", tags, tag_values AS "tagValues", channels,
         usable_vendor AS "usableVendor", registration, updated_at AS "updatedAt"
       FROM installations WHERE app_id = $1 ORDER BY token`,
      [appId],
    );
  }
}

/** Returns the counts of an import. */
export function countsOf({ created, updated, unchanged, skipped, failed, lines, status }: DeviceImport): object {
  return { status, lines, created, updated, unchanged, skipped, failed };
}

/** Imports for each test of the file, in one database that is emptied after it. */
export function useTestImports(): TestImports {
  return useStage(new TestImports());
}
