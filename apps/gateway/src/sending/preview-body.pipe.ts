import { Injectable, type PipeTransform } from '@nestjs/common';
import { type PreviewRequest, readPreview } from '@postrider/contracts';
import { InvalidRequest } from '@postrider/domain';
import { templateProblems } from '@postrider/rendering';

/** The body of `preview`. */
@Injectable()
export class PreviewBody implements PipeTransform<unknown, Promise<PreviewRequest>> {
  /** @throws InvalidRequest that names every bad field */
  async transform(body: unknown): Promise<PreviewRequest> {
    const { preview, problems } = readPreview(body);
    if (preview) problems.addAll(await templateProblems([{ content: preview.message.content, path: '' }]));
    problems.throwIfAny();
    if (preview === null) throw new InvalidRequest([{ path: '', message: 'must be a JSON object' }]);
    return preview;
  }
}
