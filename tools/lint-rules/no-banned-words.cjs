const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const GLOSSARY = join(__dirname, '..', '..', 'docs', 'glossary.md');
const HEADING = '## Words that are not used';

/** Names of the API, which clients know. */
const PUBLISHED = new Set(['AUDIENCE_TOO_COSTLY']);

/**
 * Returns the rows of the glossary's tables of words that are not used whose first column fits `first`, with the words
 * to use instead.
 */
function readRows(first, text = readFileSync(GLOSSARY, 'utf8')) {
  const at = text.indexOf(HEADING);
  if (at < 0) throw new Error(`${GLOSSARY} has no "${HEADING}"`);
  const rows = text.slice(at).matchAll(new RegExp(`^\\| ${first} +\\| (.+?) +\\|$`, 'gm'));
  return new Map([...rows].map(([, word, instead]) => [word, instead]));
}

/** The banned words, and what to say for each. */
function readBannedWords() {
  return readRows('(-?[a-z]+)');
}

/** The banned names (`Name`), members of something of the same name (`name.name`) among them, and what to say for each. */
function readBannedNames() {
  return readRows('`([A-Za-z.]+)`');
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

/** The last name in `a`, `x.a`, `x.y.a` and `x?.a`. */
function lastNameOf(node) {
  const last = node.type === 'MemberExpression' && !node.computed ? node.property : node;
  return last.type === 'Identifier' ? last.name : null;
}

/** Refuses identifiers with words that the glossary bans, and the names that it bans as a whole. */
module.exports = {
  readBannedWords,
  readBannedNames,
  meta: {
    type: 'suggestion',
    docs: { description: 'identifiers use the words of docs/glossary.md' },
    messages: { banned: '"{{name}}": the glossary has no "{{word}}", but {{instead}}.' },
    schema: [],
  },
  create(context) {
    const words = readBannedWords();
    const names = readBannedNames();
    const report = (node, name, word, instead) =>
      context.report({ node, messageId: 'banned', data: { name, word, instead } });
    const check = (node) => {
      if (PUBLISHED.has(node.name)) return;
      if (names.has(node.name)) return report(node, node.name, node.name, names.get(node.name));
      const word = wordsOf(node.name).find((one) => words.has(one));
      if (word !== undefined) report(node, node.name, word, words.get(word));
    };
    const checkMember = (node) => {
      const member = `${lastNameOf(node.object)}.${lastNameOf(node)}`;
      if (names.has(member)) report(node, member, member, names.get(member));
    };
    return { Identifier: check, PrivateIdentifier: check, JSXIdentifier: check, MemberExpression: checkMember };
  },
};
