import { Injectable, type PipeTransform } from '@nestjs/common';
import { Problems, readPreview, type SendRequest } from '@postrider/contracts';
import { InvalidRequest } from '@postrider/domain';
import { templateProblems } from '@postrider/rendering';

/** The body of `preview`: a message to users, as it would be sent. */
@Injectable()
export class PreviewBody implements PipeTransform<unknown, Promise<SendRequest>> {
  /** @throws InvalidRequest that names every bad field */
  async transform(body: unknown): Promise<SendRequest> {
    const { message, problems: found } = readPreview(body);
    if (message === null) throw new InvalidRequest(found);
    const problems = new Problems(body);
    problems.addAll(found);
    problems.addAll(await templateProblems([{ content: message.content, path: '' }]));
    problems.throwIfAny();
    return message;
  }
}
