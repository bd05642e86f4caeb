import { CountField, FlagField } from '../validation/answers';
import { SaysOfClass } from '../validation/field';

/** What an archive brought to an application. */
@SaysOfClass({ examples: [{ users: 812, devices: 2000, segments: 4, templates: 7, kept: 0, changedSettings: true }] })
export class ArchiveImportResponse {
  @CountField({ description: 'users who are new' }) users!: number;
  @CountField({ description: 'devices that are new' }) devices!: number;
  @CountField({ description: 'segments that are new' }) segments!: number;
  @CountField({ description: 'templates that are new' }) templates!: number;
  @CountField({ description: 'users, devices, segments and templates that existed already and stay as they are' })
  kept!: number;
  @FlagField({ description: 'true if the application has the settings of the archive now' })
  changedSettings!: boolean;
}
