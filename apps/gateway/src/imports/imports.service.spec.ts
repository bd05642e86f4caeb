import { unreadColumnsOf } from './imports.service';

describe('the columns of a file that are not read', () => {
  const unread = (columns: string[], mapping: object | null): string[] =>
    unreadColumnsOf({ kind: 'csv', columns, options: { format: 'onesignal', mapping, hasHeader: true } as never });

  it('are those that neither the format nor the mapping has, however they are spelled', () => {
    const columns = ['Identifier', 'device_type', 'Segment', 'note', '', 'plan'];
    expect(unread(columns, null)).toEqual(['Segment', 'note', 'plan']);
    expect(unread(columns, { 'tags.plan': { column: 'plan' }, 'attributes.note': { column: 'note' } })).toEqual([
      'Segment',
    ]);
  });

  it('are found with a few looks at each column, however many there are', () => {
    let looks = 0;
    const columns = new Proxy(
      Array.from({ length: 2_000 }, (_, at) => `column ${at}`),
      {
        get: (target, key): unknown => {
          if (/^\d+$/.test(String(key))) looks += 1;
          return Reflect.get(target, key);
        },
      },
    );
    expect(unread(columns, null)).toHaveLength(2_000);
    expect(looks).toBeLessThan(10 * 2_000);
  });
});
