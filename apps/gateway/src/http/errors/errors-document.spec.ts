import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_STATUS } from '@postrider/domain';

describe('docs/errors.md', () => {
  it('lists every error code with its status, and no other', () => {
    const text = readFileSync(join(__dirname, '../../../../../docs/errors.md'), 'utf8');
    const listed = [...text.matchAll(/^\| (\d{3}) +\| `([A-Z_]+)`/gm)].map(([, status, code]) => [
      code,
      Number(status),
    ]);
    expect(Object.fromEntries(listed)).toEqual(ERROR_STATUS);
    expect(listed).toHaveLength(Object.keys(ERROR_STATUS).length);
  });
});
