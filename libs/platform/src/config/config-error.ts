/**
 * A bad or missing environment variable. The message is one line that names the variable and says what it expects; an
 * address in it has no password.
 */
export class ConfigError extends Error {
  constructor(
    readonly variable: string,
    expected: string,
    got: string | undefined,
  ) {
    super(
      `${variable} ${got === undefined ? 'is missing' : `is ${JSON.stringify(withoutPassword(got))}`}: expected ${expected}`,
    );
    this.name = 'ConfigError';
  }
}

/** A scheme may be missing, and a user's name may contain `@`: the password ends at the last `@`. */
function withoutPassword(text: string): string {
  return text
    .replace(/^((?:[a-z][a-z\d+.-]*:\/\/)?[^:]*):(?!\/\/).*@/is, '$1:***@')
    .replace(/([?&]password=)[^&]*/g, '$1***');
}
