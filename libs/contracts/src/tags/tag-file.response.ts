import { CountField, IdField, ListField, TextField, TimeField, WordField } from '../validation/answers';

const STATUSES = ['uploading', 'working', 'done', 'failed'] as const;

/** A file of tags that was accepted. */
export class AcceptedTagFileResponse {
  @IdField({ description: 'the id of the job, to read its progress' }) jobId!: string;
}

/** Why a line of a file was refused. */
export class RefusedTagLineResponse {
  @CountField() line!: number;
  @TextField() message!: string;
}

/** A file of tags and its progress. */
export class TagJobResponse extends AcceptedTagFileResponse {
  @WordField(STATUSES) status!: (typeof STATUSES)[number];
  @TextField({ isNullable: true, description: 'why it failed' }) reason!: string | null;
  @CountField() bytes!: number;
  @CountField() bytesWorked!: number;
  @CountField() lines!: number;
  @CountField() failedLines!: number;
  @CountField() usersChanged!: number;
  @CountField() devicesChanged!: number;
  @CountField() unknownUsers!: number;

  @ListField(() => RefusedTagLineResponse, { description: 'the first 1,000 refused lines' })
  errors!: RefusedTagLineResponse[];

  @TimeField() createdAt!: string;
  @TimeField({ isNullable: true }) finishedAt!: string | null;
}
