import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The libraries that the binary of Node.js is linked with. */
const LIBRARIES = ['libc6', 'libgcc-s1', 'libstdc++6'] as const;
/** Parts of the libraries that Node.js does not use: conversions between character sets, and documents. */
const UNUSED = ['usr/share/doc/*/*.gz', 'usr/share/lintian', 'usr/share/gdb', 'usr/lib/*/gconv', 'usr/lib/*/audit'];

/** A package of Debian in an image. */
export interface DebianPackage {
  name: string;
  version: string;
}

/**
 * Unpacks the libraries of Node.js from Debian's packages, in the versions that this machine would install. Their copyright
 * notices stay.
 *
 * @param folder the root that they go to
 * @throws Error where there is no apt-get
 */
export async function addLibraries(folder: string): Promise<DebianPackage[]> {
  const downloads = await mkdtemp(join(tmpdir(), 'postrider-debian-'));
  try {
    download(downloads);
    const archives = (await readdir(downloads)).filter((file) => file.endsWith('.deb')).sort();
    return archives.map((file) => unpack(join(downloads, file), folder));
  } catch (error) {
    throw new Error(
      'The libraries of the base come from Debian’s packages (apt-get download). Elsewhere name a base.',
      {
        cause: error,
      },
    );
  } finally {
    await rm(downloads, { recursive: true, force: true });
  }
}

/** Downloads the archives; a machine without a list of Debian's packages gets one first. */
function download(folder: string): void {
  const words = ['download', '-qq', '-o', 'APT::Sandbox::User=root', ...LIBRARIES];
  if (spawnSync('apt-get', words, { cwd: folder, stdio: 'ignore' }).status === 0) return;
  execFileSync('apt-get', ['update', '-qq'], { stdio: ['ignore', 'ignore', 'inherit'] });
  execFileSync('apt-get', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

function unpack(archive: string, folder: string): DebianPackage {
  const excluded = UNUSED.flatMap((path) => ['--exclude', `./${path}`]);
  const field = (name: string): string => execFileSync('dpkg-deb', ['-f', archive, name], { encoding: 'utf8' }).trim();
  const name = field('Package');
  const tar = execFileSync('dpkg-deb', ['--fsys-tarfile', archive], { maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x', '-C', folder, '--no-same-owner', '--wildcards', ...excluded], { input: tar });
  return { name, version: field('Version') };
}
