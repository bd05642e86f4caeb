import { localeOf } from '../model/locale';

describe('days and numbers', () => {
  /** Reads the module as the browser of a reader with these languages does. */
  async function inBrowserOf(
    languages: readonly string[],
    then: (format: typeof import('./format')) => void,
  ): Promise<void> {
    Object.defineProperty(navigator, 'languages', { configurable: true, value: languages });
    await jest.isolateModulesAsync(async () => then(await import('./format')));
    Reflect.deleteProperty(navigator, 'languages');
  }

  it('are written as the reader’s browser writes them', async () => {
    const moment = new Date(2026, 10, 5, 15, 20).toISOString();
    await inBrowserOf(['de-AT', 'en'], (format) => {
      expect(format.formatMoment(moment)).toBe('05.11.2026, 15:20');
      expect(format.formatCount(1_234_567)).toBe('1\u00a0234\u00a0567');
      expect(format.formatNoun(20_000, 'device')).toBe('20\u00a0000 devices');
      expect([format.formatShare(1, 8), format.formatShare(1, 10_000)]).toEqual(['13 %', '< 0,1 %']);
      expect(format.formatEstimate({ share: 0.181, low: 0.122, high: 0.261 })).toEqual({
        share: '18,1 %',
        interval: '(12,2–26,1 %)',
      });
      expect(format.formatBytes(1_500)).toBe('1,5 kB');
      // The words of the panel are English.
      expect(format.formatAgo('2026-11-05T15:20:00Z', Date.parse('2026-11-05T15:23:00Z'))).toBe('3 minutes ago');
    });
    await inBrowserOf(['en-GB'], (format) => {
      expect(format.formatMoment(moment)).toBe('5 Nov 2026, 15:20');
    });
  });

  it('are in the next of the reader’s languages, or in English, where the first one does not fit to English words', () => {
    expect(localeOf(['fa-IR', 'fr'])).toBe('fr-u-ca-gregory-nu-latn');
    expect(localeOf(['he', 'ar-EG'])).toBe('en');
    expect(localeOf(['en-US@posix', 'nl'])).toBe('nl-u-ca-gregory-nu-latn');
    expect(localeOf([])).toBe('en');
    const day = new Intl.DateTimeFormat(localeOf(['th-TH']), { year: 'numeric', timeZone: 'UTC' });
    expect(day.format(new Date('2026-11-05T00:00:00Z'))).toContain('2026');
  });

  it('have the same signs in the fields that take them', async () => {
    Object.defineProperty(navigator, 'languages', { configurable: true, value: ['de-DE'] });
    await jest.isolateModulesAsync(async () => {
      const { NUMBER_SIGNS } = await import('../model/locale');
      expect(NUMBER_SIGNS).toEqual({ thousandSeparator: '.', decimalSeparator: ',' });
    });
    Reflect.deleteProperty(navigator, 'languages');
  });
});
