import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';

const isThere = spawnSync('buildah', ['--version']).status === 0;
/** A container that is not privileged may not mount, whatever is installed in it. */
const mayMount = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
if (!isThere || !mayMount) console.warn('Images are not tested: that takes Buildah, root and the right to mount.');

/** Tests that need Buildah: skipped on a machine without it, failed where `.ci/run` should have installed it. */
export const describeWithBuildah: jest.Describe =
  mayMount && (isThere || process.env.REQUIRE_PROGRAMS === 'true') ? describe : describe.skip;

/** Runs a program as an image says: read-only, as its user, with only its own files. */
const RUN =
  'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec chroot --userspec="$1" "$0" "$2" "$3" "$4"';

interface ImageConfig {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  Labels: Record<string, string>;
}

/** An image whose files can be looked at and whose program can be run. */
export class MountedImage {
  private constructor(
    private readonly container: string,
    /** The path where its root is mounted. */
    readonly root: string,
    readonly config: ImageConfig,
  ) {}

  /** @param image the name of an image that Buildah has */
  static mount(image: string): MountedImage {
    const container = buildah('from', '--pull-never', image);
    const { OCIv1 } = JSON.parse(buildah('inspect', container)) as { OCIv1: { config: ImageConfig } };
    return new MountedImage(container, buildah('mount', container), OCIv1.config);
  }

  /** Starts its program, on the network of this machine. @param env in addition to the image's own */
  start(env: Record<string, string>): ChildProcess {
    const { User, Env, Entrypoint, Cmd } = this.config;
    const own = Object.fromEntries(Env.map((line) => line.split(/=(.*)/s).slice(0, 2) as [string, string]));
    const words = ['--mount', 'sh', '-c', RUN, this.root, User, ...Entrypoint, ...Cmd];
    return spawn('unshare', words, { env: { ...own, PATH: process.env.PATH, ...env } });
  }

  remove(): void {
    buildah('rm', this.container);
  }
}

/** Removes images. */
export function removeImages(names: readonly string[]): void {
  buildah('rmi', '--force', ...names);
}

function buildah(...words: string[]): string {
  return execFileSync('buildah', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
}
