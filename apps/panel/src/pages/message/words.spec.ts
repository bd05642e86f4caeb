import { formatMoment } from '../../components/format';
import { whyOf } from './words';

describe('why a delivery is in its state', () => {
  it('is said once, when the sentence of the server says what the code says', () => {
    const reason = 'The user has got as many campaigns as the frequency caps of the application allow';
    expect(whyOf({ reason, error: 'frequency_capped' })).toBe(
      'The user has had as many campaigns as the frequency caps in the settings allow.',
    );
  });

  it('keeps what a vendor said beside the meaning of its code', () => {
    const why = whyOf({ reason: 'APNs answered 410 Unregistered', error: 'Unregistered' });
    expect(why).toMatch(/^APNs answered 410 Unregistered · The app was uninstalled\./);
  });

  it('names a moment as the reader’s clock shows it', () => {
    const at = '2026-11-27T22:00:00.000Z';
    expect(whyOf({ reason: `Waits until ${at}, when the quiet hours end`, error: null })).toBe(
      `Waits until ${formatMoment(at)}, when the quiet hours end`,
    );
  });

  it('is empty for a delivery without a reason', () => {
    expect(whyOf({ reason: null, error: null })).toBe('');
  });
});
