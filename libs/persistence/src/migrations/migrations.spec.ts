import { readdirSync } from 'node:fs';
import { MIGRATIONS } from './migrations';

describe('the list of migrations', () => {
  it('has every migration of its folder', () => {
    const files = readdirSync(__dirname).filter((file) => /^\d+.*(?<!\.spec)\.ts$/.test(file));
    expect(MIGRATIONS).toHaveLength(files.length);
  });

  it('stands in the order in which TypeORM runs them', () => {
    const times = MIGRATIONS.map(({ name }) => Number(name.slice(-13)));
    expect(times).toEqual([...times].sort((one, other) => one - other));
    expect(new Set(times).size).toBe(times.length);
  });
});
