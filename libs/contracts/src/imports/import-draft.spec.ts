import { momentOf } from './import-draft';

describe('a time of an imported record', () => {
  it('is given as seconds, milliseconds or text', () => {
    const moment = new Date('2026-05-01T09:00:00Z');
    for (const text of [
      1_777_626_000,
      '1777626000000',
      '2026-05-01T09:00:00Z',
      '2026-05-01 09:00:00',
      '2026/05/01 09:00',
      '2026-05-01 11:00:00+02',
      '2026-05-01 09:00:00 +0000 UTC',
      '2026-05-01T11:00:00.000+0200',
    ]) {
      expect(momentOf(text)).toEqual(moment);
    }
    for (const [text, said] of [
      ['1.7305E+09', '2024-11-01T22:26:40.000Z'],
      ['1.73051e+12', '2024-11-02T01:13:20.000Z'],
      ['2026-05-01', '2026-05-01T00:00:00.000Z'],
    ]) {
      expect(momentOf(text)).toEqual(new Date(said ?? ''));
    }
    for (const none of ['', ' ', 0, '0', null, undefined, 'NULL', '\\N', '0000-00-00 00:00:00'])
      expect(momentOf(none)).toBeNull();
    for (const said of ['2024-02-29 23:59:59', '1970-01-01T00:00:01', '9999-12-31 00:00:00'])
      expect(momentOf(said)).toEqual(new Date(`${said.replace(' ', 'T')}Z`));
    for (const other of ['2026-02-29 09:00:00', '2026-05-01 25:00:00', '2026-05-01 09:60:00', '2026-05-01 09:00:0x'])
      expect(momentOf(other)).toBe('unreadable');
    // With two digits it may be any day of half a year; the month is ambiguous; 2026 has no 29 February.
    for (const other of ['1.7E+09', '02/11/2025', '2026-02-29', '2026-13-01', 'soon', '-5', {}, ['2026-05-01'], true])
      expect(momentOf(other)).toBe('unreadable');
  });
});
