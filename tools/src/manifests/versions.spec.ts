import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'yaml';
import { IMAGES } from '../image/build-images';

const ROOT = resolve(__dirname, '../../..');

interface Package {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const foldersIn = (folder: string): string[] => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);
const { version } = JSON.parse(read('package.json')) as Package;
const packages = [...foldersIn('apps'), ...foldersIn('libs'), 'tools', 'e2e']
  .map((folder) => `${folder}/package.json`)
  .filter((file) => existsSync(join(ROOT, file)))
  .map((file) => JSON.parse(read(file)) as Package);

describe('a release', () => {
  it('has one version in every package, also where one depends on another', () => {
    expect(packages.length).toBeGreaterThan(20);
    expect(packages.filter((one) => one.version !== version).map(({ name }) => name)).toEqual([]);
    const named = packages.flatMap(({ dependencies = {} }) =>
      Object.entries(dependencies).filter(([name]) => packages.some((one) => one.name === name)),
    );
    expect(named).toContainEqual(['@postrider/server', version]);
    expect(named.filter(([, wanted]) => wanted !== version)).toEqual([]);
  });

  it('has its version in the package lock', () => {
    const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, Partial<Package>> };
    const ours = Object.entries(lock.packages).filter(([path]) => !/^$|node_modules/.test(path));
    expect(ours).toHaveLength(packages.length);
    expect([lock.packages[''], ...ours.map(([, one]) => one)].filter((one) => one?.version !== version)).toEqual([]);
  });

  it('is the tag of the images of the production overlay', () => {
    const { images } = parse(read('k8s/overlays/production/kustomization.yaml')) as {
      images: { name: string; newTag: string }[];
    };
    const deployed = Object.keys(IMAGES).filter((name) => name !== 'vendor-simulator');
    expect(images.map(({ name, newTag }) => `${name}:${newTag}`).sort()).toEqual(
      deployed.map((name) => `postrider/${name}:${version}`).sort(),
    );
  });

  it('has a section of the CHANGELOG below "Unreleased", with its date', () => {
    const headings = [...read('CHANGELOG.md').matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
    expect(headings[0]).toBe('Unreleased');
    expect(headings[1]).toMatch(new RegExp(`^${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d{2}-\\d{2}\\)$`));
  });

  it('is the one that the documents install', () => {
    const documents = [...foldersIn('docs'), ...foldersIn('libs').map((folder) => `${folder}/README.md`)].filter(
      (file) => file.endsWith('.md') && existsSync(join(ROOT, file)),
    );
    const files = documents.flatMap((file) => [...read(file).matchAll(/postrider-\w+-(\d[\w.]*)\.tgz/g)]);
    expect(files.length).toBeGreaterThan(3);
    expect(files.filter(([, named]) => named !== version).map(([file]) => file)).toEqual([]);
  });
});
