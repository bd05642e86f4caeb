import 'reflect-metadata';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { panelTypes } from './panel-types';

/** Writes the panel's and the backend client's knowledge of the API: see CONTRIBUTING.md. */
void panelTypes().then((files) => {
  for (const { path, text } of files) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(path);
  }
});
