import { Client } from 'pg';

/** Work that is left. */
interface OpenWork {
  /** Messages whose audience is not resolved to its end. */
  messages: number;
  /** Pages that a worker holds, or will take. */
  pages: number;
}

/** Counts the work that PostgreSQL knows of. @throws Error if it does not answer */
export async function openWork(databaseUrl: string): Promise<OpenWork> {
  const client = new Client({ connectionString: databaseUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<OpenWork>(
      `SELECT (SELECT count(*)::integer FROM messages WHERE resolved_at IS NULL) AS messages,
              (SELECT count(*)::integer FROM pages WHERE state <> 'finished') AS pages`,
    );
    return rows[0] as OpenWork;
  } finally {
    await client.end();
  }
}
