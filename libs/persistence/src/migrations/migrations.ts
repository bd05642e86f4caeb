import { First1763730000000 } from './1763730000000-first';
import { Audience1763740000000 } from './1763740000000-audience';
import { Fallback1763750000000 } from './1763750000000-fallback';
import { Promo1763760000000 } from './1763760000000-promo';
import { Connection1763770000000 } from './1763770000000-connection';
import { Engagement1763780000000 } from './1763780000000-engagement';
import { Steering1763790000000 } from './1763790000000-steering';
import { Webhooks1763800000000 } from './1763800000000-webhooks';
import { Overview1763810000000 } from './1763810000000-overview';
import { InFlight1763820000000 } from './1763820000000-in-flight';
import { Subscribed1763830000000 } from './1763830000000-subscribed';
import { Writes1763840000000 } from './1763840000000-writes';
import { ConnectionLedger1763850000000 } from './1763850000000-connection-ledger';
import { SegmentSizes1763860000000 } from './1763860000000-segment-sizes';
import { PageLosses1763870000000 } from './1763870000000-page-losses';
import { UserProof1763880000000 } from './1763880000000-user-proof';
import { ChangeOfHands1763900000000 } from './1763900000000-change-of-hands';
import { WaitsFor1763910000000 } from './1763910000000-waits-for';
import { TokenGuard1763920000000 } from './1763920000000-token-guard';
import { SignIns1763950000000 } from './1763950000000-sign-ins';
import { UnwrittenFallbacks1763970000000 } from './1763970000000-unwritten-fallbacks';
import { Erasures1763980000000 } from './1763980000000-erasures';
import { UnclaimedPages1763991000000 } from './1763991000000-unclaimed-pages';
import { ReportedEvents1763993000000 } from './1763993000000-reported-events';
import { PagesWaitingAgain1763995000000 } from './1763995000000-pages-waiting-again';
import { PhoneKeys1764300000000 } from './1764300000000-phone-keys';
import { TokenDrift1764300001000 } from './1764300001000-token-drift';
import { PromoInterruptions1764300012000 } from './1764300012000-promo-interruptions';
import { RemovedTokens1795392000100 } from './20261123-i-removed-tokens';
import { DeviceImports1795392000200 } from './20261123-i-device-imports';
import { MessageRevision1795392000300 } from './20261123-c-message-revision';
import { DeliveryWorkers1795420000000 } from './20261123-g-delivery-workers';
import { FrequencyCaps1795478400000 } from './20261124-b-frequency-caps';
import { Drafts1795478400300 } from './20261124-c-drafts';
import { Templates1795478400310 } from './20261124-c-templates';
import { DeliveryPacks1795478430000 } from './20261124-d-delivery-packs';
import { Languages1795478440000 } from './20261124-e-languages';
import { CampaignTests1795478450000 } from './20261124-f-campaign-tests';
import { ImportValidation1795478470000 } from './20261124-h-import-validation';
import { ClickedDevices1795478480000 } from './20261125-a-clicked-devices';
import { ErasuresByStatement1795478490000 } from './20261125-b-erasures-by-statement';
import { MessageFilters1795478500000 } from './20261125-c-message-filters';
import { ImportOrder1795478510000 } from './20261125-d-import-order';
import { InstallationsKey1795478520000 } from './20261125-e-installations-key';
import { SkippedDeliveries1795478530000 } from './20261125-f-skipped-deliveries';
import { SubscribedChannels1795737600000 } from './20261128-a-subscribed-channels';
import { ImportNames1795737610000 } from './20261128-b-import-names';
import { SegmentRevisions1795737620000 } from './20261128-c-segment-revisions';
import { FallbackTexts1795737630000 } from './20261128-d-fallback-texts';
import { QuietHoursChanges1795737642000 } from './20261129-a-quiet-hours-changes';
import { FallbackCredentials1795737652000 } from './20261129-b-fallback-credentials';
import { SessionExpiry1795824000000 } from './20261129-c-session-expiry';
import { ApnsTokens1795824010000 } from './20261129-d-apns-tokens';
import { EndedSessions1795824020000 } from './20261129-e-ended-sessions';
import { UnreleasedPublishes1795824030000 } from './20261129-f-unreleased-publishes';
import { ImportLines1795824040000 } from './20261129-g-import-lines';
import { ApplicationRevisions1795824050000 } from './20261129-h-application-revisions';
import { UncheckedLedger1795824060000 } from './20261129-i-unchecked-ledger';
import { PromoAssignmentsKey1795824070000 } from './20261129-j-promo-assignments-key';
import { ApplicationRemovals1795824080000 } from './20261130-a-application-removals';
import { FormerIdentityKeys1795824090000 } from './20261130-b-former-identity-keys';

/** Every migration, in the order in which they run: by the time at the end of their names. */
export const MIGRATIONS = [
  First1763730000000,
  Audience1763740000000,
  Fallback1763750000000,
  Promo1763760000000,
  Connection1763770000000,
  Engagement1763780000000,
  Steering1763790000000,
  Webhooks1763800000000,
  Overview1763810000000,
  InFlight1763820000000,
  Subscribed1763830000000,
  Writes1763840000000,
  ConnectionLedger1763850000000,
  SegmentSizes1763860000000,
  PageLosses1763870000000,
  UserProof1763880000000,
  ChangeOfHands1763900000000,
  WaitsFor1763910000000,
  TokenGuard1763920000000,
  SignIns1763950000000,
  UnwrittenFallbacks1763970000000,
  Erasures1763980000000,
  UnclaimedPages1763991000000,
  ReportedEvents1763993000000,
  PagesWaitingAgain1763995000000,
  PhoneKeys1764300000000,
  TokenDrift1764300001000,
  PromoInterruptions1764300012000,
  RemovedTokens1795392000100,
  DeviceImports1795392000200,
  MessageRevision1795392000300,
  DeliveryWorkers1795420000000,
  FrequencyCaps1795478400000,
  Drafts1795478400300,
  Templates1795478400310,
  DeliveryPacks1795478430000,
  Languages1795478440000,
  CampaignTests1795478450000,
  ImportValidation1795478470000,
  ClickedDevices1795478480000,
  ErasuresByStatement1795478490000,
  MessageFilters1795478500000,
  ImportOrder1795478510000,
  InstallationsKey1795478520000,
  SkippedDeliveries1795478530000,
  SubscribedChannels1795737600000,
  ImportNames1795737610000,
  SegmentRevisions1795737620000,
  FallbackTexts1795737630000,
  QuietHoursChanges1795737642000,
  FallbackCredentials1795737652000,
  SessionExpiry1795824000000,
  ApnsTokens1795824010000,
  EndedSessions1795824020000,
  UnreleasedPublishes1795824030000,
  ImportLines1795824040000,
  ApplicationRevisions1795824050000,
  UncheckedLedger1795824060000,
  PromoAssignmentsKey1795824070000,
  ApplicationRemovals1795824080000,
  FormerIdentityKeys1795824090000,
];
