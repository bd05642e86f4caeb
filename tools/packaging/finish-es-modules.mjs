import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/**
 * Makes a folder of compiled scripts one of ES modules: says so beside them, gives them the declarations of the CommonJS build,
 * and completes the paths by which they import one another, which an ES module has to write out in Node.js.
 *
 * @param commonJs the folder that holds the declarations
 * @param esModules the folder that is finished
 */
export function finishEsModules(commonJs, esModules) {
  writeFileSync(join(esModules, 'package.json'), '{ "type": "module" }\n');
  for (const path of filesIn(commonJs, '.d.ts')) {
    writeFileSync(join(esModules, path), withExtensions(readFileSync(join(commonJs, path), 'utf8')));
  }
  for (const path of filesIn(esModules, '.js')) {
    const file = join(esModules, path);
    writeFileSync(file, withExtensions(readFileSync(file, 'utf8')));
  }
}

function filesIn(folder, extension) {
  return readdirSync(folder, { recursive: true }).filter((path) => path.endsWith(extension));
}

/** The text with `.js` after every relative import. Lines keep their places, so that source maps stay true. */
export function withExtensions(text) {
  const relative = ts
    .preProcessFile(text, true, true)
    .importedFiles.filter(({ fileName }) => /^\.\.?\//.test(fileName));
  let done = text;
  for (const { fileName, pos } of relative.sort((one, other) => other.pos - one.pos)) {
    const start = done.indexOf(fileName, pos);
    const end = start + fileName.length;
    done = `${done.slice(0, end)}.js${done.slice(end)}`;
  }
  return done;
}
