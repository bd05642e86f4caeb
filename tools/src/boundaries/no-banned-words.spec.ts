import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Linter } from 'eslint';

const RULE = createRequire(__filename)(join(__dirname, '../../lint-rules/no-banned-words.cjs')) as never;
const { readBannedWords, readBannedNames } = RULE as Record<
  'readBannedWords' | 'readBannedNames',
  () => Map<string, string>
>;

/** The banned identifiers of some code. */
function refused(code: string): string[] {
  const messages = new Linter().verify(code, [
    { plugins: { words: { rules: { banned: RULE } } }, rules: { 'words/banned': 'error' } },
  ]);
  return messages.map(({ message }) => message.split('"')[1] ?? message);
}

describe('identifiers', () => {
  it('with a banned word are refused, however they are written', () => {
    expect(refused('class FrontOffice {}')).toEqual(['FrontOffice']);
    expect(refused('class A { #judge() {} }')).toEqual(['judge']);
    expect(refused('const COSTLY_READS = 1;')).toEqual(['COSTLY_READS']);
    expect(refused('a.registerTogether();')).toEqual(['registerTogether']);
  });

  it('with other words pass, and words inside of others do', () => {
    expect(refused('const household = needed(altogether, together, Lighthouse, judgement, heard);')).toEqual([]);
    expect(refused('const AUDIENCE_TOO_COSTLY = 400; // judged together')).toEqual([]);
  });

  it('are refused where the glossary bans the whole name, and longer names pass', () => {
    expect(refused('class SendRequest {}')).toEqual(['SendRequest']);
    expect(refused('class AnySendRequest {}; class SendRequests {}')).toEqual([]);
  });

  it('are refused as a member of something of the same name', () => {
    expect(refused('a(message.content.content, content.content, message?.content?.content);')).toEqual([
      'content.content',
      'content.content',
      'content.content',
    ]);
    expect(refused('a(message.content, content.title, content["content"], contents.content);')).toEqual([]);
    expect([...readBannedNames().keys()]).toEqual(expect.arrayContaining(['SendRequest', 'content.content']));
  });

  it('are checked against every word that the glossary bans', () => {
    const words = [...readBannedWords().keys()];
    expect(words).toEqual(
      expect.arrayContaining(['costly', 'doorkeeper', 'frontoffice', 'heed', 'house', '-together']),
    );
    for (const word of words) {
      const name = word.replace('-', 'all_');
      expect(refused(`const ${name} = 1;`)).toEqual([name]);
    }
  });
});
