import { Injectable } from '@nestjs/common';
import { DomainError, isUuid } from '@postrider/domain';
import { TagJobsRepository } from '@postrider/persistence';
import type { TagJobResponse } from '@postrider/contracts';

/** Reads the progress of files of tags. */
@Injectable()
export class ReadTagJob {
  constructor(private readonly tagJobs: TagJobsRepository) {}

  /** @throws DomainError NOT_FOUND */
  async find(appId: string, jobId: string): Promise<TagJobResponse> {
    const found = isUuid(jobId) ? await this.tagJobs.findWithErrors({ appId, jobId }) : null;
    if (!found) throw new DomainError('NOT_FOUND', 'There is no such job');
    const { job, errors } = found;
    return {
      jobId: job.jobId,
      status: job.status,
      reason: job.reason,
      bytes: job.bytes,
      bytesWorked: job.position,
      lines: job.lines,
      failedLines: job.failedLines,
      usersChanged: job.usersChanged,
      devicesChanged: job.devicesChanged,
      unknownUsers: job.unknownUsers,
      errors,
      createdAt: job.createdAt.toISOString(),
      finishedAt: job.finishedAt?.toISOString() ?? null,
    };
  }
}
