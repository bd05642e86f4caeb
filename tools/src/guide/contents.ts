import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A document of the repository that is a page of the guide. */
export interface GuidePage {
  /** The document, from the root of the repository. */
  file: string;
  /** Its address below `/guide/`, without `.html`; '' is the first page. */
  path: string;
  title: string;
}

/** Pages under one heading of the navigation. */
export interface GuideSection {
  title: string;
  pages: GuidePage[];
  /** Many short pages: the navigation shows them when one of them is open. */
  isFolded: boolean;
}

/** Named pages: a document, its address, and its name in the navigation. */
const NAMED: readonly { title: string; pages: readonly [file: string, path: string, title: string][] }[] = [
  {
    title: 'Begin',
    pages: [
      ['docs/guide.md', '', 'What Postrider is'],
      ['docs/tutorial.md', 'tutorial', 'Tutorial'],
      ['docs/web-push.md', 'web-push', 'Web push'],
      ['docs/panel.md', 'panel', 'The panel'],
      ['docs/faq.md', 'faq', 'Questions and answers'],
      ['docs/comparison.md', 'comparison', 'Compared with others'],
    ],
  },
  {
    title: 'Coming from …',
    pages: [
      ['docs/coming-from/onesignal.md', 'coming-from/onesignal', 'OneSignal'],
      ['docs/coming-from/fcm.md', 'coming-from/fcm', 'FCM alone'],
      ['docs/coming-from/parse-server.md', 'coming-from/parse-server', 'Parse Server'],
      ['docs/coming-from/novu.md', 'coming-from/novu', 'Novu'],
    ],
  },
  {
    title: 'Build with it',
    pages: [
      ['docs/api.md', 'api', 'The API by example'],
      ['docs/errors.md', 'errors', 'Errors'],
      ['docs/trackers.md', 'trackers', 'Links and trackers'],
      ['docs/connection.md', 'connection', 'The device connection'],
      ['libs/client/README.md', 'client', 'Client for apps'],
      ['docs/native-apps.md', 'native-apps', 'React Native, Expo and Capacitor'],
      ['libs/server/README.md', 'server', 'Client for backends'],
      ['libs/cli/README.md', 'cli', 'Command line'],
    ],
  },
  {
    title: 'Run it',
    pages: [
      ['docs/operating.md', 'operating', 'Operating'],
      ['docs/environment.md', 'environment', 'Settings'],
      ['docs/performance.md', 'performance', 'Performance'],
      ['docs/scale.md', 'scale', 'Many machines'],
      ['docs/threat-model.md', 'threat-model', 'Threat model'],
      ['SECURITY.md', 'security', 'Reporting a vulnerability'],
      ['CHANGELOG.md', 'changelog', 'Changes'],
    ],
  },
  {
    title: 'How it is made',
    pages: [
      ['ARCHITECTURE.md', 'architecture', 'Architecture'],
      ['docs/data-model.md', 'data-model', 'Data model'],
      ['docs/glossary.md', 'glossary', 'Glossary'],
      ['CONTRIBUTING.md', 'contributing', 'Contributing'],
    ],
  },
];

/** Folders of which every document is a page. */
const FOLDERS: readonly { title: string; folder: string }[] = [
  { title: 'Runbooks', folder: 'docs/runbooks' },
  { title: 'Decisions', folder: 'docs/decisions' },
];

/** Every page of the guide, in the order of its navigation. */
export function contentsOf(root: string): GuideSection[] {
  const named = NAMED.map(({ title, pages }) => ({
    title,
    pages: pages.map(([file, path, name]): GuidePage => ({ file, path, title: name })),
    isFolded: false,
  }));
  const folders = FOLDERS.map(({ title, folder }) => ({ title, pages: pagesIn(root, folder), isFolded: true }));
  return [...named, ...folders];
}

function pagesIn(root: string, folder: string): GuidePage[] {
  const files = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md'));
  return files.sort().map((name) => {
    const file = `${folder}/${name}`;
    const [, title = name] = /^# (.+)$/m.exec(readFileSync(join(root, file), 'utf8')) ?? [];
    return { file, path: `${basename(folder)}/${basename(name, '.md')}`, title: title.replaceAll('`', '') };
  });
}
