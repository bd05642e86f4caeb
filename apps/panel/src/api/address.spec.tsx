import { userOfPath } from './address';

describe('the user of an address', () => {
  it.each(['ada', 'a/b c%20"<b>', '%', '%2F', 'کاربر', '..', '?#&=', ' '])('is %j again', (userId) => {
    expect(userOfPath(`/panel/apps/shop/users/${encodeURIComponent(userId)}`)).toBe(userId);
    expect(userOfPath(`/panel/apps/shop/users/${encodeURIComponent(userId)}/more`)).toBe(userId);
  });

  it('is nobody where none is named, or the address is broken', () => {
    expect(userOfPath('/panel/apps/shop/users')).toBeNull();
    expect(userOfPath('/panel/apps/shop/users/%E0%A4%A')).toBeNull();
  });
});
