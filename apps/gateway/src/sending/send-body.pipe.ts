import { Inject, Injectable, type PipeTransform } from '@nestjs/common';
import { type RecipientForms, readSend, type SendRequest } from '@postrider/contracts';
import { CONFIG, type Config } from '@postrider/platform';
import { templateProblems } from '@postrider/rendering';
import { checkRules } from './check-rules';

/** The validated body of a send. */
export interface ReceivedSend {
  messages: SendRequest[];
  isBatch: boolean;
  /** As it was parsed, for what must know whether two requests are the same. */
  body: unknown;
}

/**
 * Reads the three payload forms (push-api, Message). Nest's own pipe cannot: a union of classes is gone at run time, and it
 * would check nothing.
 */
abstract class SendBodyPipe implements PipeTransform<unknown, ReceivedSend> {
  protected abstract readonly forms: RecipientForms;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** @throws InvalidRequest that names every bad field of every message */
  transform(body: unknown): ReceivedSend {
    const { messages, isBatch, problems } = readSend(body, this.forms, this.config);
    for (const { recipients, content, path } of messages) {
      problems.addAll(checkRules(recipients));
      problems.addAll(templateProblems(content, path));
    }
    problems.throwIfAny();
    return { messages, isBatch, body };
  }
}

/** The body of `toUsers`. */
@Injectable()
export class ToUsersBody extends SendBodyPipe {
  protected readonly forms = 'named';
}

/** The body of `byQuery`. */
@Injectable()
export class ByQueryBody extends SendBodyPipe {
  protected readonly forms = 'rules';
}

/** The body of `notifyUsers`: of either kind. */
@Injectable()
export class NotifyUsersBody extends SendBodyPipe {
  protected readonly forms = 'either';
}
