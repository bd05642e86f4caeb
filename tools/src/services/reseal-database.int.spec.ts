import { rows, SEALED_COLUMNS } from '@postrider/persistence';
import { Secret, SecretBox } from '@postrider/platform';
import { createThrowAwayDatabase, type ThrowAwayDatabase } from '@postrider/testing';
import { resealDatabase } from './reseal-database';

const FORMER = 'f'.repeat(32);
const NEXT = 'n'.repeat(32);

describe('a migration with a key before', () => {
  let database: ThrowAwayDatabase;

  beforeAll(async () => {
    database = await createThrowAwayDatabase();
    const sealed = new SecretBox(new Secret(FORMER)).seal('an identity key', 'identity:shop');
    await rows(
      database.dataSource,
      `INSERT INTO applications (app_id, name, identity_key_sealed) VALUES ('shop', 'Shop', $1)`,
      [sealed],
    );
  });

  afterAll(() => database.drop());

  const stored = async (): Promise<Buffer> => {
    const [row] = await rows<{ sealed: Buffer }>(
      database.dataSource,
      'SELECT identity_key_sealed AS sealed FROM applications',
    );
    return row?.sealed ?? Buffer.alloc(0);
  };

  it('does nothing without one', async () => {
    expect(await resealDatabase(database.url, { SECRET_KEY: NEXT, SECRET_KEY_PREVIOUS: '' })).toBeNull();
  });

  it('says in one line that a key is wrong or missing, and changes nothing', async () => {
    const before = await stored();
    const wrong = { SECRET_KEY: NEXT, SECRET_KEY_PREVIOUS: 'w'.repeat(32) };
    await expect(resealDatabase(database.url, wrong)).rejects.toThrow(
      /^SECRET_KEY is "\*\*\*": expected the key of a stored value that neither it nor SECRET_KEY_PREVIOUS opens \(first: identity:shop\)$/,
    );
    await expect(resealDatabase(database.url, { SECRET_KEY_PREVIOUS: FORMER })).rejects.toThrow(
      /^SECRET_KEY is missing: expected at least 32 characters$/,
    );
    expect(await stored()).toEqual(before);
  });

  it('says how much it sealed anew, and does it once', async () => {
    const env = { SECRET_KEY_PREVIOUS: FORMER };
    const [first, again] = [
      await resealDatabase(database.url, env, NEXT),
      await resealDatabase(database.url, { ...env, SECRET_KEY: NEXT }),
    ];
    expect(first).toBe(
      'Sealed anew under SECRET_KEY: 1 identity keys, 0 former identity keys, 0 phone keys, 0 vendor credentials, 0 webhook secrets.',
    );
    expect(again).toBe(
      'Sealed anew under SECRET_KEY: 0 identity keys, 0 former identity keys, 0 phone keys, 0 vendor credentials, 0 webhook secrets.',
    );
    expect(new SecretBox(new Secret(NEXT)).open(await stored(), 'identity:shop')).toBe('an identity key');
  });

  it('knows every column that holds sealed values', async () => {
    const columns = await rows<{ place: string }>(
      database.dataSource,
      `SELECT table_name || '.' || column_name AS place FROM information_schema.columns
       WHERE table_schema = current_schema() AND data_type = 'bytea' AND column_name ~ 'sealed'`,
    );
    const known = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    expect(columns.map(({ place }) => place).sort()).toEqual([...known].sort());
  });
});
