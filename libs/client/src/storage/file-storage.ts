import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ClientStorage } from './client-storage';
import { Turns } from './turns';

/**
 * Keeps everything in one JSON file that only its owner can read, for clients in Node.js. A change is written beside
 * the file and then replaces it, so that a power cut leaves the old or the new one. Only one process at a time may use
 * a file.
 * @param path the file; it is made with its folder when something is first stored
 */
export function fileStorage(path: string): ClientStorage {
  const turns = new Turns();
  return {
    read: (key) => turns.run(async () => (await load(path)).get(key) ?? null),
    update: (key, change) =>
      turns.run(async () => {
        const values = await load(path);
        const before = values.get(key) ?? null;
        const after = change(before);
        if (after === before) return;
        if (after === null) values.delete(key);
        else values.set(key, after);
        await save(path, values);
      }),
  };
}

async function load(path: string): Promise<Map<string, string>> {
  try {
    return new Map(Object.entries(JSON.parse(await readFile(path, 'utf8')) as Record<string, string>));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw error;
  }
}

async function save(path: string, values: Map<string, string>): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.new`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(Object.fromEntries(values)));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
