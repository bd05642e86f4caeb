import { sayUploadFailure, uploadUrl } from './send-file';

describe('an upload of codes', () => {
  it('goes where it belongs and says what went wrong', () => {
    expect(uploadUrl('shop', ' ')).toBe('/apps/shop/api/containers/updateGlobalPromoCodes?async=true');
    expect(uploadUrl('shop', 'spring/1')).toBe('/apps/shop/api/containers/updatePromoCodes/spring%2F1?async=true');
    expect(sayUploadFailure('line 3: has a second column')).toBe('Line 3 has a second column.');
    expect(sayUploadFailure('line 2: the file holds no code')).toBe('The file holds no code.');
    expect(sayUploadFailure('line 1: the file is UTF-16; upload it as UTF-8')).toBe(
      'The file is UTF-16; upload it as UTF-8.',
    );
  });
});
