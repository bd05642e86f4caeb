import { readWords, USAGE } from './read-words';

describe('the words of npm run seed', () => {
  it('name an application and a number of devices', () => {
    expect(readWords(['--app', 'shop', '--devices', '200000'])).toEqual({ appId: 'shop', devices: 200_000 });
    expect(readWords(['--devices=5'])).toEqual({ appId: 'demo', devices: 5 });
  });

  it('may ask for help', () => {
    for (const word of ['--help', '-h']) expect(readWords([word])).toBe('help');
  });

  it.each([[[]], [['--devices', '0']], [['--devices', 'many']], [['shop']], [['--help-me']]])(
    'are refused with what they may be: %j',
    (words) => {
      expect(() => readWords(words)).toThrow(USAGE);
    },
  );
});
