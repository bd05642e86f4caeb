import { execFileSync, spawnSync } from 'node:child_process';

/** The programs that pack images on this machine. */
export type ImageBuilder = 'docker' | 'buildah';

/** The name of an image and its description. */
interface ImageFacts {
  /** `postrider/gateway:0.2.0` */
  name: string;
  title: string;
  version: string;
  /** The image that it is made on; undefined: none, its context has a base. */
  base?: string;
}

/** Returns Docker if a daemon answers, else Buildah. @returns null if there is neither */
export function findBuilder(): ImageBuilder | null {
  const answers = (program: string, words: string[]): boolean =>
    spawnSync(program, words, { stdio: 'ignore' }).status === 0;
  if (answers('docker', ['info'])) return 'docker';
  return answers('buildah', ['--version']) ? 'buildah' : null;
}

/**
 * Packs an image from a context with the folders `base` and `app`.
 * @throws Error with the builder's output
 */
export function buildImage(builder: ImageBuilder, context: string, facts: ImageFacts): void {
  const labels = Object.entries(labelsOf(facts)).flatMap(([name, value]) => ['--label', `${name}=${value}`]);
  const base = facts.base === undefined ? [] : ['--build-arg', `BASE=${facts.base}`];
  // Nothing runs, so it needs no container; without a network, and as any user that may pack.
  const own = builder === 'buildah' ? ['--isolation', 'chroot', '--layers'] : [];
  const words = ['build', ...own, ...labels, ...base, '-f', 'docker/Dockerfile', '-t', facts.name, context];
  execFileSync(builder, words, { stdio: ['ignore', 'ignore', 'inherit'] });
}

function labelsOf({ title, version }: ImageFacts): Record<string, string> {
  const git = (...words: string[]): string => spawnSync('git', words, { encoding: 'utf8' }).stdout?.trim() ?? '';
  return {
    'org.opencontainers.image.title': `Postrider ${title}`,
    'org.opencontainers.image.description': 'Self-hosted push messaging',
    'org.opencontainers.image.licenses': 'Apache-2.0',
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': git('rev-parse', 'HEAD'),
    'org.opencontainers.image.created': git('log', '-1', '--format=%cI'),
  };
}
