import { CountField, FlagField } from '../validation/answers';
import { SaysOfClass } from '../validation/field';

const SAMPLE = { users: 812, devices: 2000, segments: 4, templates: 7, templateVersions: 12, drafts: 3, trackers: 5 };

/** What an archive brought to an application. */
@SaysOfClass({ examples: [{ ...SAMPLE, kept: 0, changedSettings: true }] })
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
}
