import { expectNoArguments } from './bring-up-to-date';

it.each([[['--dry-run']], [['--help']], [['up', '3']]])(
  'migrations asked for with %j are refused, because the words would mean nothing',
  (words) => {
    expect(() => expectNoArguments(words)).toThrow(
      `Migrations take no arguments, and none was run: ${words.join(' ')}`,
    );
  },
);

it('migrations asked for without a word are not refused', () => {
  expect(() => expectNoArguments([])).not.toThrow();
});
