import { type Lane, UUID } from '@postrider/domain';
import { Optional } from '../validation/field';
import { IsListOf, IsName, IsOneOf, IsTextLike } from '../validation/fields';
import { readTextLike } from '../validation/values';

const LANES = ['transactional', 'campaign'] as const;
const NO_ID = 'must be an id of this service';
/** More than any worker puts into one job. */
const MOST_FURTHER = 1_000;

const PAGE_OF_MESSAGE = new RegExp(`${UUID.source.replace(/\$$/, '')} ${UUID.source.replace(/^\^/, '')}`, UUID.flags);
const NO_PAGE = 'must be the id of a message and of a page of it';

/** The payload of the job `attempt-page`: a page to be tried with its vendor, and further pages of the application. */
export class AttemptPageJob {
  @IsName() appId!: string;
  @IsId() messageId!: string;
  @IsId() pageId!: string;
  @IsOneOf(LANES satisfies readonly Lane[]) lane!: Lane;

  /** Each as `<message> <page>`. */
  @Optional()
  @IsListOf((page) => readTextLike(page, PAGE_OF_MESSAGE, NO_PAGE), { items: { type: 'string' }, max: MOST_FURTHER })
  further?: string[];
}

/**
 * The payload of the job `resolve-message`: a message whose audience becomes pages, and further messages of the
 * application.
 */
export class ResolveMessageJob {
  @IsName() appId!: string;
  @IsId() messageId!: string;

  @Optional()
  @IsListOf((id) => readTextLike(id, UUID, NO_ID), { items: { type: 'string' }, max: MOST_FURTHER })
  further?: string[];
}

/** The payload of the job `edit-tags`: a file of tags. */
export class EditTagsJob {
  @IsName() appId!: string;
  @IsId() jobId!: string;
}

/** The payload of the jobs `import-devices` and `validate-import`: a file whose devices are imported. */
export class ImportDevicesJob {
  @IsName() appId!: string;
  @IsId() jobId!: string;
}

/** The payload of the job `import-promo-set`: an upload that becomes the set in force. */
export class ImportPromoSetJob {
  @IsName() appId!: string;
  @IsId() setId!: string;
}

/** The payload of the job `send-fallbacks`: a message with due fallback SMS. */
export class SendFallbacksJob {
  @IsName() appId!: string;
  @IsId() messageId!: string;
}

/** The payload of the job `send-webhook-events`: a webhook with due events. */
export class SendWebhookEventsJob {
  @IsName() appId!: string;
  @IsId() webhookId!: string;
}

/** A UUID. */
function IsId(): PropertyDecorator {
  return IsTextLike(UUID, NO_ID);
}
