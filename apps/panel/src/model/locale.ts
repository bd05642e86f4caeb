/** Numbers and days in these scripts would change the order of the English words around them. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa']);

/**
 * Returns the locale in which days, times and numbers are written: the first of a reader's languages that fits to English words.
 * Days are those of the fields that take a day, which are of the Gregorian calendar.
 *
 * @param languages as browsers list them; some list what is no language tag (`en-US@posix`)
 */
export function localeOf(languages: readonly string[]): string {
  for (const language of languages) {
    const locale = readLocale(language);
    if (locale !== null && !RIGHT_TO_LEFT.has(locale.maximize().script ?? '')) return locale.toString();
  }
  return 'en';
}

function readLocale(language: string): Intl.Locale | null {
  try {
    return new Intl.Locale(language, { calendar: 'gregory', numberingSystem: 'latn' });
  } catch {
    return null;
  }
}

/** The locale of this browser's reader. */
export const LOCALE = typeof document === 'undefined' ? 'en' : localeOf(navigator.languages);

const PARTS = new Intl.NumberFormat(LOCALE).formatToParts(1_234_567.8);

/** How a field for a number shows it: as numbers are shown elsewhere. */
export const NUMBER_SIGNS = {
  thousandSeparator: PARTS.find(({ type }) => type === 'group')?.value ?? '',
  decimalSeparator: PARTS.find(({ type }) => type === 'decimal')?.value ?? '.',
};
