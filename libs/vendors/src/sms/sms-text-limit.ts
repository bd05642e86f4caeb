/** Twilio refuses a longer `Body` (21617). */
const TWILIO_MOST_CHARACTERS = 1_600;

/** Returns the reason why a provider takes no SMS with this text because of its length; null: it takes it, as far as is known. */
export function whyTooLong(provider: unknown, text: string): string | null {
  // A character is at most two UTF-16 units: most texts need not be counted.
  if (provider !== 'twilio' || text.length <= TWILIO_MOST_CHARACTERS) return null;
  const characters = Array.from(text).length;
  if (characters <= TWILIO_MOST_CHARACTERS) return null;
  return `The text has ${characters.toLocaleString('en')} characters, Twilio takes ${TWILIO_MOST_CHARACTERS.toLocaleString('en')}`;
}
