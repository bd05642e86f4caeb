// Replaces curl when the examples of the documentation run, so that they need no curl and each answer is recorded. It
// supports the options that the examples use, and appends a line of JSON for each request to the file in EXAMPLES_LOG.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const request = {
  method: undefined,
  url: undefined,
  headers: new Headers(),
  body: undefined,
  showsHead: false,
  file: undefined,
};

const OPTIONS = {
  '-X': (value) => (request.method = value),
  '-H': (value) => request.headers.set(value.slice(0, value.indexOf(':')), value.slice(value.indexOf(':') + 1).trim()),
  '-d': (value) => setData(value),
  '--data-binary': (value) => setData(value),
  '-F': (value) => setForm(value),
  '-o': (value) => (request.file = value),
};

readArguments(process.argv.slice(2));
const answer = await fetch(request.url, {
  method: request.method ?? (request.body === undefined ? 'GET' : 'POST'),
  headers: request.headers,
  body: request.body,
});
const bytes = Buffer.from(await answer.arrayBuffer());
const text = request.file === undefined ? bytes.toString('utf8') : '';
if (request.file !== undefined) writeFileSync(request.file, bytes);
if (request.showsHead) {
  process.stdout.write(`HTTP/1.1 ${answer.status}\r\n`);
  for (const [name, value] of answer.headers) process.stdout.write(`${name}: ${value}\r\n`);
  process.stdout.write('\r\n');
}
process.stdout.write(text);
const { pathname, search } = new URL(request.url);
const noted = { method: request.method, path: pathname + search, status: answer.status, text };
appendFileSync(process.env.EXAMPLES_LOG, `${JSON.stringify(noted)}\n`);

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
  request.body = value.startsWith('@') ? readFileSync(value.slice(1)) : value;
  if (!request.headers.has('content-type')) request.headers.set('content-type', 'application/x-www-form-urlencoded');
}

function setForm(value) {
  const [name, file] = value.split('=@');
  request.body ??= new FormData();
  request.body.append(name, new Blob([readFileSync(file)]), basename(file));
}
