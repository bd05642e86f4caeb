import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { bodyOf, Problems, problemsNotedOf, problemsOf, REQUEST_PACKAGES } from '@postrider/contracts';
import { InvalidRequest, isJsonObject } from '@postrider/domain';

/**
 * Reads every body, query and path whose parameter is a class of the contracts, and refuses it with all problems, in
 * the caller's own field names. It is the only validation pipe of the gateway.
 */
@Injectable()
export class RequestValidation extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      ...REQUEST_PACKAGES,
      exceptionFactory: (errors) => {
        const problems = new Problems();
        problems.addAll(problemsOf(errors));
        return new InvalidRequest(problems.details());
      },
    });
  }

  /** @throws InvalidRequest that names every bad field, and the problems of the JSON itself */
  override async transform(sent: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (!this.toValidate(metadata)) return sent;
    const value = bodyOf(metadata.metatype, sent);
    const problems = new Problems(value);
    if (metadata.type === 'body' && !isJsonObject(value)) {
      throw new InvalidRequest([{ path: '', message: 'must be a JSON object' }]);
    }
    try {
      const request: unknown = await super.transform(value, metadata);
      problems.throwIfAny();
      return request;
    } catch (error) {
      if (!(error instanceof InvalidRequest) || problemsNotedOf(value).length === 0) throw error;
      problems.addAll(error.options.details ?? []);
      throw new InvalidRequest(problems.details());
    }
  }
}
