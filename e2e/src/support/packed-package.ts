import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(__dirname, '../../..');
const MODULES = join(ROOT, 'node_modules');
/** `npm run build` has made what `prepack` would make again, in the place where other tests read it meanwhile. */
const AS_BUILT = ['--ignore-scripts'];

/** A user's project that has installed packages of this repository. */
export interface UserProject {
  folder: string;
  /** Runs `node` in the project. @returns its output */
  node(words: readonly string[], env?: Record<string, string>): Promise<string>;
}

/**
 * Makes a project in a temporary folder, which is the caller's to remove. Its packages are as published: what `npm install` of their
 * tarballs does, without a registry.
 *
 * @param packages folders of packages below the repository, such as `libs/client`
 * @param shared packages of the repository's own that the project has too
 */
export async function makeUserProject(packages: readonly string[], shared: readonly string[]): Promise<UserProject> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-package-'));
  await writeFile(join(folder, 'package.json'), '{ "name": "shop", "version": "1.0.0", "private": true }');
  for (const path of packages) {
    const name = `@postrider/${path.split('/').at(-1) ?? ''}`;
    const words = ['pack', ...AS_BUILT, '--silent', '--pack-destination', folder];
    const { stdout } = await run('npm', words, { cwd: join(ROOT, path) });
    const target = join(folder, 'node_modules', name);
    await mkdir(target, { recursive: true });
    const tarball = stdout.trim().split('\n').at(-1) ?? '';
    await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', target], { cwd: folder });
  }
  for (const name of shared) {
    await mkdir(dirname(join(folder, 'node_modules', name)), { recursive: true });
    await symlink(join(MODULES, name), join(folder, 'node_modules', name));
  }
  return {
    folder,
    node: async (words, env = {}) => {
      const { stdout } = await run(process.execPath, words, { cwd: folder, env: { ...process.env, ...env } }).catch(
        (error: unknown) => {
          // TypeScript's complaints are on its standard output.
          const { message, stdout: said, stderr } = error as Error & { stdout: string; stderr: string };
          throw new Error(`${message}\n${said}\n${stderr}`);
        },
      );
      return stdout;
    },
  };
}

/** Returns what `npm publish` of a package would do and print. */
export async function tryPublishing(path: string): Promise<{ stdout: string; stderr: string }> {
  const words = ['publish', ...AS_BUILT, '--dry-run', '--offline', '--json', '--loglevel=warn'];
  return run('npm', words, { cwd: join(ROOT, path) });
}

/** Both TypeScripts that people have, as packages of this repository: 6, and 7, which takes a fifth of the time. */
export const TYPESCRIPTS = ['typescript', 'typescript-native'] as const;
type TypeScript = (typeof TYPESCRIPTS)[number];

/** The path of a TypeScript's compiler in a project that has it. */
export const compilerOf = (typescript: TypeScript): string => `node_modules/${typescript}/bin/tsc`;

/** Node's module systems, TypeScript's ways to find a package, and the TypeScript that is asked. */
export const MODULE_RESOLUTIONS = [
  ['esnext', 'bundler', 'typescript'],
  ['node16', 'node16', 'typescript-native'],
  ['nodenext', 'nodenext', 'typescript-native'],
] as const;

/** Checks files with TypeScript as strictly as it can. @returns its complaints: nothing if all is right */
export function checkTypes(
  project: UserProject,
  [module, moduleResolution, typescript]: readonly [string, string, TypeScript],
  files: readonly string[],
  more: readonly string[] = [],
): Promise<string> {
  const how = ['--module', module, '--moduleResolution', moduleResolution, '--target', 'es2022', '--types', 'node'];
  // All declarations except TypeScript's own of the language and the browser.
  const libraries = ['--skipLibCheck', 'false', '--skipDefaultLibCheck'];
  const checks = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', ...libraries];
  return project.node([compilerOf(typescript), ...how, ...checks, ...more, ...files]);
}
