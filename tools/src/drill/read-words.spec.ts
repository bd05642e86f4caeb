import { HELP, readWords } from './read-words';

describe('the words of npm run drill', () => {
  it('may be left out, or say how long, with which seed and with what', () => {
    expect(readWords([])).toEqual({ minutes: 2, seed: 1, devices: 400, single: false, keep: false });
    expect(readWords(['--minutes', '0.5', '--only', 'clock', '--single'])).toMatchObject({
      minutes: 0.5,
      only: 'clock',
      single: true,
    });
    expect(readWords(['--help'])).toBe('help');
  });

  it.each([
    [['--minuts', '5'], /^Unknown option '--minuts'/],
    [['5'], /^Unexpected argument '5'/],
    [['--devices', '0'], /^--devices takes a number above 0, not 0\.$/m],
    [['--minutes', 'long'], /^--minutes takes a number above 0, not long\.$/m],
  ])('are refused with what they may be: %j', (words, problem) => {
    expect(() => readWords(words)).toThrow(problem);
    expect(() => readWords(words)).toThrow(HELP);
  });
});
