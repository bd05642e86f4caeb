import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildImage, type ImageBuilder } from './image-builder';
import { NODE_DOWNLOADS } from './node-binary';
import { copyProgram, makeBase } from './root-filesystem';
import { SoftwareLists } from './software-list';

/** The images, and the folder of the bundle of each. */
export const IMAGES = {
  gateway: 'apps/gateway/bundle',
  'audience-worker': 'apps/audience-worker/bundle',
  'delivery-worker': 'apps/delivery-worker/bundle',
  'promo-worker': 'apps/promo-worker/bundle',
  'device-edge': 'apps/device-edge/bundle',
  'vendor-simulator': 'apps/vendor-simulator/bundle',
  migrations: 'tools/bundle',
} as const;

export type ImageName = keyof typeof IMAGES;

/** Which images to make, and how. */
interface ImagePlan {
  names: readonly ImageName[];
  builder: ImageBuilder;
  /** The beginning of each image's name: `postrider/`. */
  prefix: string;
  tag: string;
  version: string;
  /** An image with Node.js at `/usr/local/bin/node`, instead of a base of Debian's packages. */
  base?: string;
  /** Called with the name of each image that is ready. */
  built?(name: string): void;
}

/**
 * Packs images from the bundles, which must be built.
 *
 * @returns their names
 * @throws Error when the base cannot be made or the builder fails
 */
export async function buildImages({ names, builder, prefix, tag, version, base, built }: ImagePlan): Promise<string[]> {
  const context = await mkdtemp(join(tmpdir(), 'postrider-images-'));
  try {
    const made = base === undefined ? await makeBase(NODE_DOWNLOADS) : { folder: null, libraries: [] };
    if (made.folder === null) await mkdir(join(context, 'base'));
    else await rename(made.folder, join(context, 'base'));
    const lists = new SoftwareLists();
    const ready: string[] = [];
    for (const app of names) {
      const program = join(context, 'app');
      await rm(program, { recursive: true, force: true });
      await copyProgram(app, IMAGES[app], program, { lists, libraries: made.libraries });
      const name = `${prefix}${app}:${tag}`;
      buildImage(builder, context, { name, title: app, version, ...(base === undefined ? {} : { base }) });
      ready.push(name);
      built?.(name);
    }
    return ready;
  } finally {
    await rm(context, { recursive: true, force: true });
  }
}
