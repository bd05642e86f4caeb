import { sayUploadFailure, uploadUrl } from './send-file';

describe('an upload of codes', () => {
  it('goes where it belongs and says what went wrong', () => {
    expect(uploadUrl('shop', ' ')).toBe('/apps/shop/api/containers/updateGlobalPromoCodes?async=true');
    expect(uploadUrl('shop', 'spring/1')).toBe('/apps/shop/api/containers/updatePromoCodes/spring%2F1?async=true');
    expect(sayUploadFailure('line 3: has a second column')).toBe('Line 3 has a second column.');
  });
});
