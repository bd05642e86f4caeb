import { CountField, FlagField, ListField, TextField } from '../validation/answers';
import { SaysOfClass } from '../validation/field';

const SAMPLE = { users: 812, devices: 2000, segments: 4, templates: 7, templateVersions: 12, drafts: 3, trackers: 5 };

/** A line of an archive that was left out because it is wrong. */
export class ArchiveProblemResponse {
  @CountField({ description: 'the number of the line, from 1' }) line!: number;
  @TextField() message!: string;
}

/** What an archive brought to an application. */
@SaysOfClass({ examples: [{ ...SAMPLE, kept: 0, changedSettings: true, failed: 0, problems: [] }] })
export class ArchiveImportResponse {
  @CountField({ description: 'users who are new' }) users!: number;
  @CountField({ description: 'devices that are new' }) devices!: number;
  @CountField({ description: 'segments that are new' }) segments!: number;
  @CountField({ description: 'templates that are new' }) templates!: number;
  @CountField({ description: 'former versions of templates that are new' }) templateVersions!: number;
  @CountField({ description: 'drafts that are new' }) drafts!: number;
  @CountField({ description: 'trackers that are new' }) trackers!: number;
  @CountField({ description: 'objects of these kinds that existed already and stay as they are' }) kept!: number;
  @FlagField({ description: 'true if the application has the settings of the archive now' })
  changedSettings!: boolean;
  @CountField({
    description: 'segments, templates, former versions, drafts and trackers that are wrong; they are left out',
  })
  failed!: number;
  @ListField(() => ArchiveProblemResponse, { description: 'what is wrong with them: the first hundred' })
  problems!: ArchiveProblemResponse[];
}
