import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import type { ApplicationResponse } from '@postrider/contracts';
import {
  ArchiveRepository,
  SavedDraftsRepository,
  SavedTemplatesRepository,
  SegmentsRepository,
  type TrackerPlace,
  TrackersRepository,
} from '@postrider/persistence';
import { readEntries, readParts } from '../../http/read-parts';
import { Applications } from '../applications/applications.service';

/** The beginning of an archive: the version of its format. */
export const ARCHIVE_VERSION = 2;

/** How many objects of each kind there are in an archive: none yet. */
export const NOTHING = {
  users: 0,
  devices: 0,
  segments: 0,
  templates: 0,
  templateVersions: 0,
  drafts: 0,
  trackers: 0,
};

/** A line of an archive: an object whose only member names the kind. */
type ArchiveLine =
  | { archive: { version: number; application: string; writtenAt: string } }
  | { settings: object }
  | { segment: object }
  | { template: object }
  | { templateVersion: object }
  | { draft: object }
  | { tracker: object }
  | { user: object }
  | { device: object }
  | { end: typeof NOTHING };

const AT_ONCE = 1_000;
/** A version of a template has up to 128 KiB. */
const VERSIONS_AT_ONCE = 10;
/** Fields of an application that are not settings. */
const NOT_SETTINGS = new Set([
  ...['id', 'name', 'revision', 'createdAt', 'updatedAt', 'removalBeganAt', 'formerIdentityKeyValidUntil'],
  'unprovedDevices',
]);

/** Writes an application's data as a file that another installation of Postrider can read. */
@Injectable()
export class WriteArchive {
  constructor(
    private readonly applications: Applications,
    private readonly segments: SegmentsRepository,
    private readonly templates: SavedTemplatesRepository,
    private readonly drafts: SavedDraftsRepository,
    private readonly trackers: TrackersRepository,
    private readonly archive: ArchiveRepository,
  ) {}

  /**
   * Returns a gzip file of JSON lines: settings, segments, templates with their former versions, drafts, trackers,
   * users, devices, and at its end how many there were. It holds no secrets and no messages. Memory holds one stretch
   * of it. Whatever changes while it is written is in it as it is when its turn comes.
   *
   * @throws DomainError NOT_FOUND
   */
  async open(appId: string): Promise<Readable> {
    const application = await this.applications.find(appId);
    const lines = Readable.from(this.#write(application), { objectMode: false });
    const packed = createGzip();
    lines.on('error', (error) => packed.destroy(error));
    packed.on('close', () => lines.destroy());
    return lines.pipe(packed);
  }

  async *#write(application: ApplicationResponse): AsyncGenerator<string, void> {
    const { id: appId } = application;
    const settings = Object.fromEntries(Object.entries(application).filter(([name]) => !NOT_SETTINGS.has(name)));
    const writtenAt = new Date().toISOString();
    yield line({ archive: { version: ARCHIVE_VERSION, application: appId, writtenAt } });
    yield line({ settings });
    const written = { ...NOTHING };
    for await (const segment of this.#segments(appId)) {
      written.segments += 1;
      yield line({ segment });
    }
    for await (const { versions, ...template } of this.#templates(appId)) {
      written.templates += 1;
      yield line({ template });
      for await (const templateVersion of versions) {
        written.templateVersions += 1;
        yield line({ templateVersion });
      }
    }
    for await (const draft of this.#drafts(appId)) {
      written.drafts += 1;
      yield line({ draft });
    }
    for await (const tracker of this.#trackers(appId)) {
      written.trackers += 1;
      yield line({ tracker });
    }
    for await (const users of this.#users(appId)) {
      written.users += users.length;
      yield users.map((user) => line({ user })).join('');
    }
    for await (const devices of this.#devices(appId)) {
      written.devices += devices.length;
      yield devices.map((device) => line({ device })).join('');
    }
    yield line({ end: written });
  }

  async *#segments(appId: string): AsyncGenerator<object, void> {
    const segments = readEntries({
      first: null,
      limit: AT_ONCE,
      read: (beforeId: string | null, limit) => this.segments.list(appId, { beforeId, limit }),
      placeOf: ({ segmentId }) => segmentId,
    });
    for await (const { segmentId: id, name, target, segment, createdAt, updatedAt } of segments) {
      yield { id, name, ...(target && { target }), ...(segment && { segment }), createdAt, updatedAt };
    }
  }

  /** Writes each template as it is now, with its former versions. */
  async *#templates(
    appId: string,
  ): AsyncGenerator<Record<string, unknown> & { versions: AsyncIterable<object> }, void> {
    const templates = readEntries({
      first: null,
      limit: AT_ONCE,
      read: (beforeId: string | null, limit) => this.templates.list(appId, { beforeId, limit }),
      placeOf: ({ templateId }) => templateId,
    });
    for await (const { templateId: id } of templates) {
      const template = await this.templates.find(appId, id);
      if (template === null) continue;
      const { name, description, message, variables, version, createdAt, updatedAt } = template;
      const said = { id, name, ...(description !== null && { description }), message, variables };
      yield { ...said, version, createdAt, updatedAt, versions: this.#versions(appId, id, version) };
    }
  }

  async *#versions(appId: string, templateId: string, newest: number): AsyncGenerator<object, void> {
    const versions = readEntries({
      first: newest,
      limit: VERSIONS_AT_ONCE,
      read: (before, limit) => this.templates.readVersions(appId, templateId, before, limit),
      placeOf: ({ version }) => version,
    });
    for await (const version of versions) yield { templateId, ...version };
  }

  /** A draft that is saved meanwhile moves to the front, and may be missed: so the ids are read first. */
  async *#drafts(appId: string): AsyncGenerator<object, void> {
    for (const { draftId: id } of await this.drafts.list(appId, { after: null, limit: AT_ONCE })) {
      const draft = await this.drafts.find(appId, id);
      if (draft === null) continue;
      const { name, message, revision, createdAt, updatedAt } = draft;
      yield { id, name, message, revision, createdAt, updatedAt };
    }
  }

  async *#trackers(appId: string): AsyncGenerator<object, void> {
    const trackers = readEntries({
      first: null,
      limit: AT_ONCE,
      read: (after: TrackerPlace | null, limit) => this.trackers.list(appId, { after, limit }),
      placeOf: (tracker) => tracker,
    });
    for await (const { trackerId: id, ...tracker } of trackers) yield { id, ...tracker };
  }

  #users(appId: string): AsyncGenerator<object[], void> {
    return readParts({
      first: '',
      limit: AT_ONCE,
      read: (after, limit) => this.archive.readUsers(appId, after, limit),
      placeOf: ({ user_id: userId }) => userId as string,
    });
  }

  async *#devices(appId: string): AsyncGenerator<object[], void> {
    const parts = readParts({
      first: '0',
      limit: AT_ONCE,
      read: (after, limit) => this.archive.readDevices(appId, after, limit),
      placeOf: ({ number }) => number,
    });
    for await (const devices of parts) yield devices.map(({ row }) => row);
  }
}

function line(value: ArchiveLine): string {
  return `${JSON.stringify(value)}\n`;
}
