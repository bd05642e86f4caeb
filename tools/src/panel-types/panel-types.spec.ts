import { readFileSync } from 'node:fs';
import { panelTypes } from './panel-types';

describe('what the panel and the client for backends know of the API', () => {
  it('is what the API document says: run `npm run panel-types` after a change of it', async () => {
    for (const { path, text } of await panelTypes()) {
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
  });
});
