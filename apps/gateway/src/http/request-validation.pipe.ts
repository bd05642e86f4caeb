import { type ArgumentMetadata, Injectable, type Type, ValidationPipe } from '@nestjs/common';
import { makeRequest, Problems, problemsNotedOf, problemsOf, validateRequest } from '@postrider/contracts';
import { InvalidRequest, type JsonObject } from '@postrider/domain';

/**
 * Reads every body, query and path whose parameter is a class of the contracts, and refuses it with all that is wrong, in the
 * caller's own field names. The one validation pipe of the gateway.
 */
@Injectable()
export class RequestValidation extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      // The contracts' own: the packages of that name walk through all JSON of a caller's, and look everything up each time.
      transformerPackage: {
        plainToInstance: (type, sent) => makeRequest(type as Type<object>, sent as JsonObject) as never,
        classToPlain: (request) => request as JsonObject,
      },
      validatorPackage: { validate: (request) => validateRequest(request as object) },
      exceptionFactory: (errors) => new InvalidRequest(problemsOf(errors)),
    });
  }

  /** @throws InvalidRequest that names every bad field, and what was wrong with the JSON itself */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (!this.toValidate(metadata)) return value;
    const problems = new Problems(value);
    if (metadata.type === 'body' && (typeof value !== 'object' || value === null || Array.isArray(value))) {
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
