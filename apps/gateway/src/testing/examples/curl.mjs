// Replaces curl when the examples of the documentation run, so that they need no curl and each answer is recorded. It
// supports the options that the examples use, and appends a line of JSON for each request to the file `answers`.
//
// One process does this for all commands of a page, since starting Node.js takes longer than a request. It works in the folder
// of the examples. The `curl` of the shell writes its folder and its words into the pipe `asked`, waits for a line in the pipe
// `code`, which is the exit code, and prints the files `output` and `complaint`.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';

let request;

const OPTIONS = {
  '-X': (value) => (request.method = value),
  '-H': (value) => request.headers.set(value.slice(0, value.indexOf(':')), value.slice(value.indexOf(':') + 1).trim()),
  '-d': (value) => setData(value),
  '--data-binary': (value) => setData(value),
  '-F': (value) => setForm(value),
  '-o': (value) => (request.file = inFolder(value)),
};

// Ended by who started it.
for (;;) {
  const [folder, ...words] = readFileSync('asked', 'utf8').split('\0').slice(0, -1);
  request = {
    folder,
    method: undefined,
    url: undefined,
    headers: new Headers(),
    body: undefined,
    showsHead: false,
    file: undefined,
  };
  let complaint = '';
  let output = '';
  try {
    readArguments(words);
    output = await send();
  } catch (error) {
    complaint = `${error.stack}\n`;
  }
  writeFileSync('output', output);
  writeFileSync('complaint', complaint);
  writeFileSync('code', complaint === '' ? '0\n' : '1\n');
}

/** @returns what curl would print */
async function send() {
  const answer = await fetch(request.url, {
    method: request.method ?? (request.body === undefined ? 'GET' : 'POST'),
    headers: request.headers,
    body: request.body,
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const text = request.file === undefined ? bytes.toString('utf8') : '';
  if (request.file !== undefined) writeFileSync(request.file, bytes);
  const { pathname, search } = new URL(request.url);
  const noted = { method: request.method, path: pathname + search, status: answer.status, text };
  appendFileSync('answers', `${JSON.stringify(noted)}\n`);
  if (!request.showsHead) return text;
  const lines = [
    `HTTP/1.1 ${answer.status}`,
    ...[...answer.headers].map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ];
  return lines.join('\r\n') + text;
}

function readArguments(words) {
  while (words.length > 0) {
    const word = words.shift();
    if (word === '-s') continue;
    else if (word === '-i') request.showsHead = true;
    else if (word in OPTIONS) OPTIONS[word](words.shift());
    else if (word.startsWith('-')) throw new Error(`curl.mjs does not know ${word}`);
    else request.url = word;
  }
}

function setData(value) {
  request.body = value.startsWith('@') ? readFileSync(inFolder(value.slice(1))) : value;
  if (!request.headers.has('content-type')) request.headers.set('content-type', 'application/x-www-form-urlencoded');
}

function setForm(value) {
  const [name, file] = value.split('=@');
  request.body ??= new FormData();
  request.body.append(name, new Blob([readFileSync(inFolder(file))]), basename(file));
}

function inFolder(file) {
  return resolve(request.folder, file);
}
