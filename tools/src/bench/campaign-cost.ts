import { Client } from 'pg';
import type { BenchSystem } from './bench-system';
import { ProcessTime, type ProcessTimes, sayTimes } from './process-time';

/** The bytes that a database has written so far. */
interface Written {
  /** Bytes of log. */
  log: number;
  /** Bytes on disk of pages and their results, with their indexes. */
  disk: number;
}

/** The cost of a campaign for each of its devices: processor time, log and disk. */
export class CampaignCost {
  private constructor(
    private readonly bench: BenchSystem,
    private readonly time: ProcessTime,
    private readonly timesBefore: ProcessTimes,
    private readonly writtenBefore: Written,
  ) {}

  /** Reads the values at the beginning. */
  static async begin(bench: BenchSystem): Promise<CampaignCost> {
    const [time, written] = [await ProcessTime.of(bench), await readWritten(bench)];
    return new CampaignCost(bench, time, time.read(), written);
  }

  /** Returns the cost since then for each device: `postgres 12 µs, delivery-worker 22 µs, log 80 B, disk 50 B`. */
  async say(devices: number): Promise<string> {
    const times = sayTimes(this.timesBefore, this.time.read(), devices);
    const { log, disk } = await readWritten(this.bench);
    const [ofLog, ofDisk] = [log - this.writtenBefore.log, disk - this.writtenBefore.disk];
    return `${times}, log ${Math.round(ofLog / devices)} B, disk ${Math.round(ofDisk / devices)} B`;
  }
}

async function readWritten({ databases }: BenchSystem): Promise<Written> {
  const client = new Client({ connectionString: databases.databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ log: string; disk: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS log, (
       SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits
       WHERE inhparent IN ('pages'::regclass, 'deliveries'::regclass, 'delivery_packs'::regclass)
     ) AS disk`,
  );
  await client.end();
  return { log: Number(rows[0]?.log), disk: Number(rows[0]?.disk) };
}
