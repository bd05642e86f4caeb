import { columnNames, kindOf, mappingOf, previewOf, recordsIn } from './import-file';

describe('a file that is chosen for an import', () => {
  it('is known by its name', () => {
    expect(kindOf('export.csv.gz')).toEqual({ contentType: 'text/csv', isPacked: true });
    expect(kindOf('list.txt')).toEqual({ contentType: 'text/csv', isPacked: false });
    expect(kindOf('a.JSON').contentType).toBe('application/json');
    expect(kindOf('a.jsonl.gz').contentType).toBe('application/x-ndjson');
  });

  it('shows its first records, and never half of one', () => {
    const csv = kindOf('a.csv');
    expect(recordsIn('\uFEFFtoken,user\n"a,b",ada\n\nc', csv, true)).toEqual([
      ['token', 'user'],
      ['a,b', 'ada'],
      ['c'],
    ]);
    expect(recordsIn('token\na\nhalf', csv, false)).toEqual([['token'], ['a']]);
    expect(recordsIn('{"a":1}\n{"a":2}\n', kindOf('a.ndjson'), true)).toEqual([['{"a":1}'], ['{"a":2}']]);
    expect(recordsIn('', csv, true)).toEqual([]);
  });

  it('shows the cells by its separator', () => {
    const csv = kindOf('a.csv');
    const records = [
      ['token', 'user'],
      ['a,b', 'ada'],
    ];
    expect(recordsIn('token;user\n"a,b";ada\n', csv, true)).toEqual(records);
    expect(recordsIn('token\tuser\na,b\tada\n', csv, true)).toEqual(records);
    expect(recordsIn('sep=;\r\ntoken;user\r\na,b;ada\r\n', csv, true)).toEqual(records);
  });

  it('is cut and recognised as the gateway does', async () => {
    const csv = kindOf('a.csv');
    expect(recordsIn('Identifier;DEVICE_TYPE;a,b,c\nt1;1;x\n', csv, true)).toEqual([
      ['Identifier', 'DEVICE_TYPE', 'a,b,c'],
      ['t1', '1', 'x'],
    ]);
    expect(recordsIn('token,"the\nplan"\na,"b\n\nc"\nd,"e\n', csv, true)).toEqual([
      ['token', 'the\nplan'],
      ['a', 'b\n\nc'],
      ['d,"e'],
    ]);
    const known = await previewOf(new File(['Identifier;DEVICE_TYPE\nt1;1\n'], 'a.csv'));
    expect(known).toMatchObject({ format: 'onesignal', isBareList: false });
    const list = await previewOf(new File(['fX2k0a1b2c3d4e5f6a7b8c9d;ada\n'], 'list.txt'));
    expect(list).toMatchObject({
      format: 'tokens',
      isBareList: true,
      records: [['fX2k0a1b2c3d4e5f6a7b8c9d', 'ada']],
    });
    expect(await previewOf(new File(['push;customer\n'], 'a.csv'))).toMatchObject({ format: null, isBareList: false });
  });

  it('has the keys of its JSON lines for a mapping', async () => {
    const lines = '{"push token":"a","user.id":"ada"}\n[1]\nno JSON\n{"user.id":"bea","Größe":1}\n';
    expect((await previewOf(new File([lines], 'a.ndjson'))).keys).toEqual(['push token', 'user.id', 'Größe']);
    expect((await previewOf(new File(['push;customer\n'], 'a.csv'))).keys).toEqual([]);
  });

  it('has the keys of the objects in a JSON document, and is recognised by the first one', async () => {
    const seen = async (text: string, name = 'a.json') => {
      const { records, keys, format } = await previewOf(new File([text], name));
      return { records: records.flat(), keys, format };
    };
    const [ada, bea] = ['{"push": "a]}\\"", "more": [{"x": 1}]}', '{"user":"bea","push":"b"}'];
    const list = { records: [ada, bea], keys: ['push', 'more', 'user'], format: null };
    expect(await seen(`\uFEFF [ ${ada} ,\n${bea}\n]`)).toEqual(list);
    expect(await seen(`{"count": [2], "results" : [${ada}, ${bea}], "next": null}`)).toEqual(list);
    expect(await seen(`${ada}\n${bea}`)).toEqual(list);
    expect(await seen(`[${ada}, ${bea}, {"half`)).toEqual(list);
    const sns = await seen('{"Endpoints":[{"EndpointArn":"arn:x","Attributes":{"Token":"t"}}],"NextToken":"n"}');
    expect(sns).toMatchObject({ keys: ['EndpointArn', 'Attributes'], format: 'sns' });
    const pages = await seen(`[{"NextToken":"n","Endpoints":[${sns.records[0]}]},{"Endpoints":[]}]`);
    expect(pages).toMatchObject({ records: sns.records, keys: ['EndpointArn', 'Attributes'], format: 'sns' });
    expect(await seen('{"endpoint":"https://push.example/1","keys":{}}')).toMatchObject({ format: 'webpush' });
    expect(await seen('{"deviceToken":"t","deviceType":"ios"}\n', 'a.ndjson')).toMatchObject({ format: 'parse' });
    expect(await seen('[]')).toEqual({ records: ['[]'], keys: [], format: null });
    expect(await seen('"text')).toEqual({ records: ['"text'], keys: [], format: null });
    expect(await seen(' ')).toEqual({ records: [], keys: [], format: null });
    expect((await seen(JSON.stringify(Array.from({ length: 9_000 }, () => ({ push: 'x' }))))).records).toHaveLength(6);
  });

  it('is read only at its beginning', async () => {
    const large = new File(['token\n', 'x\n'.repeat(100_000)], 'a.csv');
    expect((await previewOf(large)).records).toEqual([['token'], ['x'], ['x'], ['x'], ['x'], ['x']]);
  });

  it('gets the mapping that was chosen', () => {
    expect(columnNames(['push', ' city '], true)).toEqual(['push', 'city']);
    expect(columnNames(['a', 'b'], false)).toEqual(['1', '2']);
    expect(mappingOf({ push: 'deviceToken', city: 'tags', age: 'attributes', other: '' })).toEqual({
      deviceToken: 'push',
      'tags.city': 'city',
      'attributes.age': 'age',
    });
    expect(mappingOf({ a: '' })).toBeNull();
  });
});
