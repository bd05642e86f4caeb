import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildImages, type ImageName, IMAGES } from './build-images';
import { findBuilder } from './image-builder';

const USAGE = `npm run image -- [name …] [--prefix postrider/] [--tag <version>] [--base <image>]
Names: ${Object.keys(IMAGES).join(', ')}; without one, all.`;

/** `npm run image`: packs the images with Docker or Buildah. */
async function main(): Promise<void> {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      prefix: { type: 'string', default: 'postrider/' },
      tag: { type: 'string', default: version },
      base: { type: 'string' },
    },
  });
  const unknown = positionals.find((name) => !(name in IMAGES));
  if (unknown !== undefined) throw new Error(`There is no image “${unknown}”.\n${USAGE}`);
  const builder = findBuilder();
  if (builder === null) throw new Error('Images are packed with Docker or Buildah, and neither is here.');
  const names = (positionals.length > 0 ? positionals : Object.keys(IMAGES)) as ImageName[];
  await buildImages({ ...values, names, builder, version, built: (name) => console.log(name) });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
