import { ApplicationEntity } from '../applications/application.entity';
import { TagJobChunkEntity, TagJobErrorEntity, TagJobEntity } from '../tags/tag-job.entity';
import { DeviceImportChunkEntity, DeviceImportEntity, DeviceImportErrorEntity } from '../imports/device-import.entity';
import { DeliveryEntity } from '../deliveries/delivery.entity';
import { DeliveryPackEntity } from '../packs/delivery-pack.entity';
import { FallbackEntity, OptedOutNumberEntity, PhoneKeyEntity } from '../fallbacks/fallback.entity';
import { IdempotencyKeyEntity } from '../idempotency/idempotency-key.entity';
import { InboxMarkEntity } from '../inbox/inbox-mark.entity';
import { FormerOwnerEntity, OwnerChangeEntity, InstallationEntity } from '../devices/installation.entity';
import { CampaignEntity, MessageEntity } from '../messages/message.entity';
import { PaceEntity } from '../pacing/pace.entity';
import { PageEntity } from '../pages/page.entity';
import {
  ConnectionClosureEntity,
  ConnectionSessionEntity,
  EdgeEntity,
  PresenceEntity,
} from '../presence/presence.entity';
import { PromoAssignmentEntity, PromoChunkEntity, PromoCodesEntity, PromoSetEntity } from '../promo/promo-set.entity';
import {
  ConversionEntity,
  DeliveryClickEntity,
  LinkOpenEntity,
  ReportedEventEntity,
} from '../receipts/reported-event.entity';
import { SavedDraftEntity } from '../drafts/saved-draft.entity';
import { SavedTemplateEntity, TemplateVersionEntity } from '../templates/saved-template.entity';
import { SegmentSizeEntity, SegmentEntity } from '../segments/segment.entity';
import { EndedSessionEntity, SignInFailureEntity } from '../sign-ins/sign-in-failure.entity';
import { MessageCountEntity } from '../statistics/message-count.entity';
import { AccessTokenEntity } from '../access-tokens/access-token.entity';
import {
  ClaimedLinkEntity,
  DeferredLinkEntity,
  TrackerCountEntity,
  TrackerVisitorEntity,
  TrackerEntity,
} from '../trackers/tracker.entity';
import { ErasureEntity } from '../erasures/erasure.entity';
import { UserContactsEntity } from '../contacts/user-contacts.entity';
import { UserEntity } from '../users/user.entity';
import { VendorCredentialEntity, RouteStateEntity, VendorTroubleEntity } from '../vendors/route-state.entity';
import { QuarantinedTokenEntity, RemovedTokenEntity, TokenAnswersEntity } from '../vendors/token-answers.entity';
import { WebhookEventEntity, WebhookEntity } from '../webhooks/webhook.entity';
import { DeliveryWorkerEntity } from '../workers/delivery-worker.entity';

/** Every TypeORM entity; single rows are read and written with them, sets with `sql`. */
export const ENTITIES: (abstract new () => object)[] = [
  AccessTokenEntity,
  ApplicationEntity,
  CampaignEntity,
  ConnectionClosureEntity,
  ConnectionSessionEntity,
  ConversionEntity,
  ClaimedLinkEntity,
  DeferredLinkEntity,
  DeliveryClickEntity,
  DeliveryEntity,
  DeliveryPackEntity,
  DeviceImportChunkEntity,
  DeviceImportEntity,
  DeviceImportErrorEntity,
  DeliveryWorkerEntity,
  EdgeEntity,
  EndedSessionEntity,
  ErasureEntity,
  FallbackEntity,
  FormerOwnerEntity,
  OwnerChangeEntity,
  IdempotencyKeyEntity,
  InboxMarkEntity,
  InstallationEntity,
  LinkOpenEntity,
  MessageCountEntity,
  MessageEntity,
  OptedOutNumberEntity,
  PaceEntity,
  PageEntity,
  PhoneKeyEntity,
  PresenceEntity,
  PromoAssignmentEntity,
  PromoChunkEntity,
  PromoCodesEntity,
  PromoSetEntity,
  QuarantinedTokenEntity,
  RemovedTokenEntity,
  ReportedEventEntity,
  RouteStateEntity,
  SavedDraftEntity,
  SavedTemplateEntity,
  SegmentEntity,
  SegmentSizeEntity,
  SignInFailureEntity,
  TagJobChunkEntity,
  TagJobEntity,
  TagJobErrorEntity,
  TemplateVersionEntity,
  TokenAnswersEntity,
  TrackerCountEntity,
  TrackerEntity,
  TrackerVisitorEntity,
  UserContactsEntity,
  UserEntity,
  VendorCredentialEntity,
  VendorTroubleEntity,
  WebhookEntity,
  WebhookEventEntity,
];
