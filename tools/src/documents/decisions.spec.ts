import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const FOLDER = resolve(__dirname, '../../../docs/decisions');
const DECISIONS = readdirSync(FOLDER).filter((file) => /^\d{4}-/.test(file) && !file.startsWith('0000'));

describe('the list of decisions', () => {
  const list = readFileSync(join(FOLDER, 'README.md'), 'utf8');

  it.each(DECISIONS)('has %s, under its number and its heading', (file) => {
    const [, number, heading] = /^# (\d+)\. (.+)$/m.exec(readFileSync(join(FOLDER, file), 'utf8')) ?? [];
    const row = list.split('\n').find((line) => line.startsWith(`| [${number}](${file})`));
    expect(row).toContain(`| ${heading}`);
  });
});
