import {
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import {
  Problems,
  readPreview,
  readSend,
  readSendElement,
  type RecipientForms,
  type SendReading,
  type SendRecipients,
  type ValidatedSend,
} from '@postrider/contracts';
import { CONFIG, type Config } from '@postrider/platform';
import { templateProblems } from '@postrider/rendering';
import { type ErrorDetail, InvalidRequest } from '@postrider/domain';
import type { AuthenticatedRequest } from '../../auth/caller';
import { type FilledMessage, FillInTemplates, namesTemplate } from '../../templates/fill-in-templates.service';
import { findRuleProblems } from '../../segments/saved-rules';
import { inSlices } from '../../http/in-slices';

/** The validated body of a send. */
export interface ReceivedSend {
  messages: ValidatedSend[];
  isBatch: boolean;
  /** The body as it was parsed, to find out whether two requests are the same. */
  body: unknown;
  /**
   * The error to throw unless this is a replay: the templates may have changed since the first request. `messages` is
   * empty then.
   */
  refusal?: InvalidRequest;
}

/** A body as it was parsed, and the application whose templates it may name. */
interface IncomingSend {
  body: unknown;
  appId: string;
}

const UnreadSend = createParamDecorator((_: unknown, context: ExecutionContext): IncomingSend => {
  const { body, caller } = context.switchToHttp().getRequest<AuthenticatedRequest>();
  return { body, appId: caller.appId };
});

/**
 * Reads the body of a request that may name templates by one of these pipes. The pipe of all other requests ignores it.
 */
export function SendBody(pipe: Type<PipeTransform<IncomingSend>>): ParameterDecorator {
  return UnreadSend(pipe);
}

/**
 * Reads a message for one user, for several users or for rules, each as its class, and arrays of them. Nest's own pipe
 * cannot do this: a union of classes does not exist at run time, so the pipe would check nothing.
 */
abstract class SendBodyPipe implements PipeTransform<IncomingSend, Promise<ReceivedSend>> {
  protected abstract readonly forms: RecipientForms;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly templates: FillInTemplates,
  ) {}

  /** @throws InvalidRequest that names every bad field of every message */
  async transform({ body, appId }: IncomingSend): Promise<ReceivedSend> {
    const problems = new Problems(body);
    const isBatch = Array.isArray(body) && this.forms !== 'rules';
    const { maxMessages } = this.config;
    if (isBatch && (body.length === 0 || body.length > maxMessages)) {
      problems.add('', `must be an array of 1 to ${maxMessages} messages`);
      problems.throwIfAny();
    }
    const sent: readonly unknown[] = isBatch ? body : [body];
    const namesTemplates = namesTemplate(body);
    const filled = namesTemplates ? await this.templates.fillIn(appId, sent, isBatch) : null;
    const messages = await this.#readAll(sent, filled, { isBatch, problems });
    if (!problems.isFull) problems.addAll(await templateProblems(withoutRepeatedTexts(messages, filled, isBatch)));
    if (problems.isEmpty) return { messages, isBatch, body };
    if (!namesTemplates) problems.throwIfAny();
    return { messages: [], isBatch, body, refusal: new InvalidRequest(problems.details()) };
  }

  async #readAll(
    sent: readonly unknown[],
    filled: readonly FilledMessage[] | null,
    { isBatch, problems }: { isBatch: boolean; problems: Problems },
  ): Promise<ValidatedSend[]> {
    const messages = await inSlices(sent, (element, index) => {
      // No further problem would be reported.
      if (problems.isFull) return [];
      const template = filled?.[index];
      if (template && template.problems.length > 0) {
        problems.addAll(template.problems);
        return [];
      }
      const json = template ? template.json : element;
      return take(
        isBatch ? readSendElement(json, index, this.forms) : readSend(json, this.forms, this.config.maxUsers),
        problems,
      );
    });
    return messages.flat();
  }
}

/**
 * Returns the messages whose texts are to be checked: of messages with all their texts from one template only the
 * first.
 */
function withoutRepeatedTexts(
  messages: readonly ValidatedSend[],
  filled: readonly FilledMessage[] | null,
  isBatch: boolean,
): readonly ValidatedSend[] {
  if (filled === null || !isBatch) return messages;
  const seen = new Set<string>();
  return messages.filter(({ path }) => {
    const texts = filled[Number(path.slice(1, -1))]?.texts ?? null;
    if (texts === null) return true;
    const isFirst = !seen.has(texts);
    seen.add(texts);
    return isFirst;
  });
}

/** Adds the problems of a message and of its rules. @returns the message; none if it is no object */
function take({ message, problems: found }: SendReading, problems: Problems): ValidatedSend[] {
  problems.addAll(found);
  if (message === null) return [];
  problems.addAll(checkRules(message.recipients));
  return [message];
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

/** The body of `notifyUsers`: to named users or by rules. */
@Injectable()
export class NotifyUsersBody extends SendBodyPipe {
  protected readonly forms = 'either';
}

/** Returns the problems of the rules in `target` and `segment`; none for named recipients. */
function checkRules(recipients: SendRecipients): readonly ErrorDetail[] {
  return recipients.kind === 'rules' ? findRuleProblems(recipients) : [];
}

/** The body of `preview`: a message to users, as it would be sent. */
@Injectable()
export class PreviewBody implements PipeTransform<IncomingSend, Promise<ValidatedSend>> {
  constructor(private readonly templates: FillInTemplates) {}

  /** @throws InvalidRequest that names every bad field */
  async transform({ body, appId }: IncomingSend): Promise<ValidatedSend> {
    const [filled] = namesTemplate(body) ? await this.templates.fillIn(appId, [body], false) : [];
    if (filled && filled.problems.length > 0) throw new InvalidRequest(filled.problems);
    const { message, problems: found } = readPreview(filled ? filled.json : body);
    if (message === null) throw new InvalidRequest(found);
    const problems = new Problems(body);
    problems.addAll(found);
    problems.addAll(await templateProblems([{ content: message.content, path: '' }]));
    problems.throwIfAny();
    return message;
  }
}
