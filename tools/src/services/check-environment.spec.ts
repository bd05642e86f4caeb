import { checkEnvironment } from './check-environment';

describe('the environment of a start', () => {
  it('may leave everything out', () => {
    expect(() => checkEnvironment({})).not.toThrow();
    expect(() => checkEnvironment({ PORT: '', DATABASE_URL: '', ADMIN_TOKEN: '' })).not.toThrow();
  });

  it.each([
    ['PORT', 'abc', /^PORT is "abc": expected a whole number from 0 to 65535$/],
    ['SIMULATOR_PORT', '70000', /^SIMULATOR_PORT is "70000"/],
    ['DATABASE_URL', 'mysql://127.0.0.1/x', /^DATABASE_URL is .*expected a URL \(postgres:/],
    ['REDIS_URL', 'localhost', /^REDIS_URL is "localhost"/],
    ['LOG_LEVEL', 'loud', /^LOG_LEVEL is "loud"/],
    ['SECRET_KEY', 'short', /^SECRET_KEY is "\*\*\*\*\*": expected at least 32 characters$/],
  ])('refuses %s=%s in one line that names it', (name, text, message) => {
    expect(() => checkEnvironment({ [name]: text })).toThrow(message);
  });
});
