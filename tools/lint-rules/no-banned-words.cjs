const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const GLOSSARY = join(__dirname, '..', '..', 'docs', 'glossary.md');
const HEADING = '## Words that are not used';

/** Names of the API, which clients know. */
const PUBLISHED = new Set(['AUDIENCE_TOO_COSTLY']);

/** The table of banned words in the glossary: what to say for each. */
function readBannedWords(text = readFileSync(GLOSSARY, 'utf8')) {
  const at = text.indexOf(HEADING);
  if (at < 0) throw new Error(`${GLOSSARY} has no "${HEADING}"`);
  const rows = text.slice(at).matchAll(/^\| (-?[a-z]+) +\| (.+?) +\|$/gm);
  return new Map([...rows].map(([, word, instead]) => [word, instead]));
}

/** The words of an identifier, in small letters: `acceptTogether` is accept, together and -together, `FrontOffice` frontoffice too. */
function wordsOf(name) {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
  const pairs = words.slice(1).map((word, place) => words[place] + word);
  const endings = words.length > 1 ? [`-${words.at(-1)}`] : [];
  return [...words, ...pairs, ...endings];
}

/** Refuses identifiers with words that the glossary bans. */
module.exports = {
  readBannedWords,
  meta: {
    type: 'suggestion',
    docs: { description: 'identifiers use the words of docs/glossary.md' },
    messages: { banned: '"{{name}}": the glossary has no "{{word}}", but {{instead}}.' },
    schema: [],
  },
  create(context) {
    const banned = readBannedWords();
    const check = (node) => {
      if (PUBLISHED.has(node.name)) return;
      const word = wordsOf(node.name).find((one) => banned.has(one));
      if (word === undefined) return;
      context.report({ node, messageId: 'banned', data: { name: node.name, word, instead: banned.get(word) } });
    };
    return { Identifier: check, PrivateIdentifier: check, JSXIdentifier: check };
  },
};
