import { execFileSync } from 'node:child_process';
import type { BundledPackage } from '../bundle/bundled-packages';
import type { DebianPackage } from './debian-packages';
import { NODE_VERSION } from './node-binary';

/** The part of a CycloneDX document that is changed here. */
interface SoftwareList {
  metadata: { component: { name: string; type: string } };
  components: { name: string; version: string; type: string; purl?: string; 'bom-ref'?: string }[];
  dependencies?: { ref: string; dependsOn?: string[] }[];
  [field: string]: unknown;
}

/** Lists everything that is in images, in CycloneDX. `npm sbom` knows the packages; an image has some of them. */
export class SoftwareLists {
  readonly #all: SoftwareList;

  constructor() {
    const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
    const text = execFileSync('npm', words, {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 26,
    });
    this.#all = JSON.parse(text) as SoftwareList;
  }

  /**
   * @param app the name of the image
   * @throws Error when npm does not know one of the packages
   */
  of(app: string, packages: readonly BundledPackage[], libraries: readonly DebianPackage[]): string {
    const bundled = new Set(packages.map(({ name, version }) => `${name}@${version}`));
    const kept = this.#all.components.filter(({ name, version }) => bundled.delete(`${name}@${version}`));
    if (bundled.size > 0) throw new Error(`npm does not list ${[...bundled].join(', ')}.`);
    const refs = new Set(kept.map((component) => component['bom-ref']));
    const dependencies = (this.#all.dependencies ?? [])
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
    const runtime = [
      { type: 'platform', name: 'node', version: NODE_VERSION, purl: `pkg:generic/node@${NODE_VERSION}` },
      ...libraries.map(({ name, version }) => ({
        type: 'library',
        name,
        version,
        purl: `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}`,
      })),
    ];
    const component = { ...this.#all.metadata.component, type: 'application', name: `postrider/${app}` };
    const list: SoftwareList = {
      ...this.#all,
      metadata: { ...this.#all.metadata, component },
      components: [...kept, ...runtime],
      dependencies,
    };
    return `${JSON.stringify(list, null, 2)}\n`;
  }
}
