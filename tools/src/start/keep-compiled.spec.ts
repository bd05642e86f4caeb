import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { transformFileSync } from '@swc/core';

describe('what V8 has compiled of a program', () => {
  let folder: string;
  let kept: string;
  let preloaded: string;
  let program: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'postrider-compiled-'));
    kept = join(folder, 'kept');
    preloaded = join(folder, 'keep-compiled.js');
    program = join(folder, 'greeter', 'bundle', 'main.js');
    const options = { swcrc: false, jsc: { parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } } as const;
    writeFileSync(preloaded, transformFileSync(join(__dirname, 'keep-compiled.ts'), options).code);
    mkdirSync(join(program, '..'), { recursive: true });
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a program, in a new process. */
  function run(
    text: string,
    flags: string[] = [],
    more: Record<string, string> = {},
  ): { said: string; complained: string } {
    writeFileSync(program, text);
    const words = [...flags, '--require', preloaded, '--enable-source-maps', program];
    const env = { ...process.env, COMPILED_PROGRAMS: kept, ...more };
    const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env });
    return { said: stdout, complained: stderr };
  }
  /** Each kept file, and when it was written. */
  const written = (): [name: string, at: number][] =>
    readdirSync(kept, { recursive: true, encoding: 'utf8' }).map((name) => [name, statSync(join(kept, name)).mtimeMs]);

  it('is kept, and used by the next process', () => {
    expect(run(`console.log('tea');`)).toEqual({ said: 'tea\n', complained: '' });
    const first = written();
    expect(first).not.toEqual([]);
    expect(run(`console.log('tea');`)).toEqual({ said: 'tea\n', complained: '' });
    expect(written()).toEqual(first);
  });

  it('is not that of a program that was changed, not even to one of the same length', () => {
    run(`console.log('tea');`);
    expect(run(`console.log('ale');`).said).toBe('ale\n');
    expect(run(`console.log('tea');`).said).toBe('tea\n');
  });

  it('is not that of a process with other flags', () => {
    run(`console.log('tea');`);
    expect(run(`console.log('tea');`, ['--max-semi-space-size=4'])).toEqual({ said: 'tea\n', complained: '' });
  });

  it('holds what the start called, also if the process that stores it collects garbage until it ends', () => {
    const text = `
      const brew = (cups) => [...Array(cups).keys()].map((cup) => ({ cup, isHot: cup % 2 === 0 })).filter(({ isHot }) => isHot);
      function serve(cups) { try { return JSON.stringify(brew(cups)).length; } finally { cups += 1; } }
      serve(3);
      let kept = [];
      for (let n = 0; n < Number(process.env.GARBAGE ?? 0); n++) {
        kept.push(Array.from({ length: 5_000 }, () => ({ n })));
        if (kept.length > 40) kept = [];
      }`;
    const bytes = (garbage: number): number => {
      rmSync(kept, { recursive: true, force: true });
      const flags = ['--max-old-space-size=24'];
      expect(run(text, flags, { GARBAGE: String(garbage) }).complained).toBe('');
      const stored = written();
      run(text, flags);
      expect(written()).toEqual(stored);
      return stored.reduce((sum, [name]) => sum + statSync(join(kept, name)).size, 0);
    };
    expect(bytes(600)).toBeGreaterThanOrEqual(bytes(0));
  });

  it('is left alone when it is damaged', () => {
    run(`console.log('tea');`);
    for (const name of readdirSync(kept, { recursive: true, encoding: 'utf8' })) {
      const file = join(kept, name);
      if (statSync(file).isFile()) writeFileSync(file, readFileSync(file).subarray(0, -20));
    }
    expect(run(`console.log('tea');`)).toEqual({ said: 'tea\n', complained: '' });
  });

  it('is of a program like any other: the main module, with a path', () => {
    const text = `'use strict';
      exports.name = require('node:path').basename(__filename);
      console.log(this === exports, require.main === module, module.exports.name, (function () { return this; })());`;
    const said = 'true true main.js undefined\n';
    expect([run(text), run(text)]).toEqual([
      { said, complained: '' },
      { said, complained: '' },
    ]);
  });

  it('shows an error where it was thrown in the sources', () => {
    const map = { version: 3, sources: ['greet.ts'], names: [], mappings: 'AASA;AACA' };
    writeFileSync(`${program}.map`, JSON.stringify(map));
    const text = `console.log('tea');\nthrow new Error('spilled');\n//# sourceMappingURL=main.js.map\n`;
    const place = expect.stringContaining('greet.ts:11');
    expect([run(text).complained, run(text).complained]).toEqual([place, place]);
  });

  it('is not asked for where no folder is named', () => {
    writeFileSync(program, `console.log('tea');`);
    const env = { ...process.env, COMPILED_PROGRAMS: undefined };
    const { stdout } = spawnSync(process.execPath, ['--require', preloaded, program], { encoding: 'utf8', env });
    expect(stdout).toBe('tea\n');
  });
});
