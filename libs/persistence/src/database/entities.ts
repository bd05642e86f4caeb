import { ApplicationEntity } from '../applications/application.entity';
import { TagJobChunkEntity } from '../tags/tag-job-chunk.entity';
import { TagJobErrorEntity } from '../tags/tag-job-error.entity';
import { TagJobEntity } from '../tags/tag-job.entity';
import { DeliveryEntity } from '../deliveries/delivery.entity';
import { FallbackEntity } from '../fallbacks/fallback.entity';
import { OptedOutNumberEntity } from '../fallbacks/opted-out-number.entity';
import { PhoneKeyEntity } from '../fallbacks/phone-key.entity';
import { IdempotencyKeyEntity } from '../idempotency/idempotency-key.entity';
import { InboxMarkEntity } from '../inbox/inbox-mark.entity';
import { FormerOwnerEntity } from '../devices/former-owner.entity';
import { HandOverEntity } from '../devices/hand-over.entity';
import { InstallationEntity } from '../devices/installation.entity';
import { CampaignEntity } from '../messages/campaign.entity';
import { MessageEntity } from '../messages/message.entity';
import { PaceEntity } from '../pacing/pace.entity';
import { PageEntity } from '../pages/page.entity';
import { ConnectionClosureEntity } from '../presence/connection-closure.entity';
import { ConnectionSessionEntity } from '../presence/connection-session.entity';
import { EdgeEntity } from '../presence/edge.entity';
import { PresenceEntity } from '../presence/presence.entity';
import { PromoAssignmentEntity } from '../promo/promo-assignment.entity';
import { PromoChunkEntity } from '../promo/promo-chunk.entity';
import { PromoCodesEntity } from '../promo/promo-codes.entity';
import { PromoSetEntity } from '../promo/promo-set.entity';
import { ConversionEntity } from '../receipts/conversion.entity';
import { DeliveryClickEntity } from '../receipts/delivery-click.entity';
import { LinkOpenEntity } from '../receipts/link-open.entity';
import { ReportedEventEntity } from '../receipts/reported-event.entity';
import { SegmentSizeEntity } from '../segments/segment-size.entity';
import { SegmentEntity } from '../segments/segment.entity';
import { EndedSessionEntity } from '../sign-ins/ended-session.entity';
import { SignInFailureEntity } from '../sign-ins/sign-in-failure.entity';
import { MessageCountEntity } from '../statistics/message-count.entity';
import { AccessTokenEntity } from '../tokens/access-token.entity';
import { DeferredHandoverEntity } from '../trackers/deferred-handover.entity';
import { DeferredLinkEntity } from '../trackers/deferred-link.entity';
import { TrackerCountEntity } from '../trackers/tracker-count.entity';
import { TrackerVisitorEntity } from '../trackers/tracker-visitor.entity';
import { TrackerEntity } from '../trackers/tracker.entity';
import { ErasureEntity } from '../erasures/erasure.entity';
import { UserEntity } from '../users/user.entity';
import { VendorCredentialEntity } from '../vendors/vendor-credential.entity';
import { QuarantinedTokenEntity } from '../vendors/quarantined-token.entity';
import { RouteStateEntity } from '../vendors/route-state.entity';
import { TokenAnswersEntity } from '../vendors/token-answers.entity';
import { VendorTroubleEntity } from '../vendors/vendor-trouble.entity';
import { WebhookEventEntity } from '../webhooks/webhook-event.entity';
import { WebhookEntity } from '../webhooks/webhook.entity';

/** Every TypeORM entity; single rows are read and written with them, sets with `sql`. */
export const ENTITIES: (abstract new () => object)[] = [
  AccessTokenEntity,
  ApplicationEntity,
  CampaignEntity,
  ConnectionClosureEntity,
  ConnectionSessionEntity,
  ConversionEntity,
  DeferredHandoverEntity,
  DeferredLinkEntity,
  DeliveryClickEntity,
  DeliveryEntity,
  EdgeEntity,
  EndedSessionEntity,
  ErasureEntity,
  FallbackEntity,
  FormerOwnerEntity,
  HandOverEntity,
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
  ReportedEventEntity,
  RouteStateEntity,
  SegmentEntity,
  SegmentSizeEntity,
  SignInFailureEntity,
  TagJobChunkEntity,
  TagJobEntity,
  TagJobErrorEntity,
  TokenAnswersEntity,
  TrackerCountEntity,
  TrackerEntity,
  TrackerVisitorEntity,
  UserEntity,
  VendorCredentialEntity,
  VendorTroubleEntity,
  WebhookEntity,
  WebhookEventEntity,
];
