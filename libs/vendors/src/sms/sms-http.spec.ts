import { runInNewContext } from 'node:vm';
import { readJsonObject } from './sms-http';

describe('the answer of an SMS provider', () => {
  it('keeps the digits of an id that a double does not hold, and what its texts say', () => {
    expect(readJsonObject(String.raw`{"id":12345678901234567,"text":"a \" 12345678901234567","price":1.5}`)).toEqual({
      id: '12345678901234567',
      text: 'a " 12345678901234567',
      price: 1.5,
    });
  });

  it('is none when it is a text of escaped quotes that does not end', () => {
    const read = (): unknown => readJsonObject(`{"a":"${'\\"'.repeat(500_000)}`);
    // The limit only ends what would take an hour.
    expect(runInNewContext('read()', { read }, { timeout: 60_000 })).toBeNull();
  });
});
