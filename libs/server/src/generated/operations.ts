// Made from the API document by `npm run panel-types`; not written by hand.

import type { operations } from './document';
import { Caller, type CallOptions, type FileSource, type Pages, type Place, type Query, type Body, type Answer, type Keyed, type KeyedOptions, type SendOptions, type Sent, type UploadOptions } from '../calls/caller';

/** Where each operation is, and when a call of it may be repeated. */
const OPERATIONS = {
  toUsers: {"method":"POST","path":"/api/push/toUsers","access":"token","repeat":"key","contentType":"application/json"},
  byQuery: {"method":"POST","path":"/api/push/byQuery","access":"token","repeat":"key","contentType":"application/json"},
  byQueryInLowerCase: {"method":"POST","path":"/api/push/byquery","access":"token","repeat":"key","contentType":"application/json"},
  notifyUsers: {"method":"POST","path":"/api/push/notifyUsers","access":"token","repeat":"key","contentType":"application/json"},
  notifyToUsers: {"method":"POST","path":"/api/push/notifyToUsers","access":"token","repeat":"key","contentType":"application/json"},
  notifyUser: {"method":"POST","path":"/api/push/notifyUser/{userId}","access":"token","repeat":"key","contentType":"application/json"},
  previewMessage: {"method":"POST","path":"/api/push/preview","access":"token","repeat":"always","contentType":"application/json"},
  getMessage: {"method":"GET","path":"/api/push/messages/{id}","access":"token","repeat":"always"},
  changeMessage: {"method":"PATCH","path":"/api/push/messages/{id}","access":"token","repeat":"refused","contentType":"application/json"},
  getCampaign: {"method":"GET","path":"/api/push/campaigns/{id}","access":"token","repeat":"always"},
  changeCampaign: {"method":"PATCH","path":"/api/push/campaigns/{id}","access":"token","repeat":"refused","contentType":"application/json"},
  listApplications: {"method":"GET","path":"/api/admin/apps","access":"operator","repeat":"always"},
  createApplication: {"method":"POST","path":"/api/admin/apps","access":"operator","repeat":"refused","contentType":"application/json"},
  getApplication: {"method":"GET","path":"/api/admin/apps/{id}","access":"operator","repeat":"always"},
  updateApplication: {"method":"PATCH","path":"/api/admin/apps/{id}","access":"operator","repeat":"always","contentType":"application/json"},
  deleteApplication: {"method":"DELETE","path":"/api/admin/apps/{id}","access":"operator","repeat":"always"},
  rotateIdentityKey: {"method":"POST","path":"/api/admin/apps/{id}/rotate-identity-key","access":"operator","repeat":"refused","contentType":"application/json"},
  exportApplication: {"method":"GET","path":"/api/admin/apps/{id}/archive","access":"operator","repeat":"always"},
  importApplication: {"method":"POST","path":"/api/admin/apps/{id}/archive","access":"operator","repeat":"always","contentType":"application/x-ndjson"},
  listTokens: {"method":"GET","path":"/api/admin/apps/{id}/tokens","access":"operator","repeat":"always"},
  createToken: {"method":"POST","path":"/api/admin/apps/{id}/tokens","access":"operator","repeat":"refused","contentType":"application/json"},
  revokeToken: {"method":"DELETE","path":"/api/admin/apps/{id}/tokens/{tokenId}","access":"operator","repeat":"always"},
  listVendors: {"method":"GET","path":"/api/admin/apps/{id}/vendors","access":"operator","repeat":"always"},
  putVendorCredentials: {"method":"PUT","path":"/api/admin/apps/{id}/vendors/{vendor}","access":"operator","repeat":"always","contentType":"application/json"},
  deleteVendorCredentials: {"method":"DELETE","path":"/api/admin/apps/{id}/vendors/{vendor}","access":"operator","repeat":"always"},
  checkVendorCredentials: {"method":"POST","path":"/api/admin/apps/{id}/vendors/{vendor}/check","access":"operator","repeat":"always"},
  updateUserInfo: {"method":"PUT","path":"/api/installations/userInfo","access":"token","repeat":"always","contentType":"application/json"},
  setAttributes: {"method":"POST","path":"/api/installations/attributes","access":"token","repeat":"always","contentType":"application/json"},
  incrementAttribute: {"method":"POST","path":"/api/installations/incrementAttribute","access":"token","repeat":"refused","contentType":"application/json"},
  reportEvents: {"method":"POST","path":"/api/installations/events","access":"token","repeat":"refused","contentType":"application/json"},
  listInstallations: {"method":"GET","path":"/api/installations","access":"token","repeat":"always"},
  register: {"method":"POST","path":"/api/installations","access":"token","repeat":"refused","contentType":"application/json"},
  decideDeferredDeepLink: {"method":"POST","path":"/api/installations/deferredDeepLink","access":"token","repeat":"refused","contentType":"application/json"},
  updateDeviceToken: {"method":"POST","path":"/api/installations/updateDeviceToken","access":"token","repeat":"refused","contentType":"application/json"},
  getInstallation: {"method":"GET","path":"/api/installations/{id}","access":"token","repeat":"always"},
  replaceInstallation: {"method":"PUT","path":"/api/installations/{id}","access":"token","repeat":"always","contentType":"application/json"},
  deleteInstallation: {"method":"DELETE","path":"/api/installations/{id}","access":"token","repeat":"always"},
  getPresence: {"method":"GET","path":"/api/installations/{id}/presence","access":"token","repeat":"always"},
  listChannelMembers: {"method":"GET","path":"/api/channels/{channel}/members","access":"token","repeat":"always"},
  addChannelMembers: {"method":"POST","path":"/api/channels/{channel}/members","access":"token","repeat":"always","contentType":"application/json"},
  removeChannelMembers: {"method":"DELETE","path":"/api/channels/{channel}/members","access":"token","repeat":"always","contentType":"application/json"},
  addTag: {"method":"GET","path":"/api/installations/addTag/{user_id}/{tag}","access":"token","repeat":"always"},
  addTags: {"method":"POST","path":"/api/installations/addTags","access":"token","repeat":"always","contentType":"application/json"},
  addValueTag: {"method":"POST","path":"/api/installations/addValueTag","access":"token","repeat":"always","contentType":"application/json"},
  removeTag: {"method":"GET","path":"/api/installations/removeTag/{user_id}/{tag}","access":"token","repeat":"always"},
  removeTags: {"method":"POST","path":"/api/installations/removeTags","access":"token","repeat":"always","contentType":"application/json"},
  removeValueTag: {"method":"POST","path":"/api/installations/removeValueTag","access":"token","repeat":"always","contentType":"application/json"},
  listTags: {"method":"GET","path":"/api/installations/tags/{userId}","access":"token","repeat":"always"},
  track: {"method":"POST","path":"/api/installations/track","access":"token","repeat":"key","contentType":"application/json"},
  trackPurchase: {"method":"POST","path":"/api/installations/trackPurchase","access":"token","repeat":"key","contentType":"application/json"},
  trackRevenue: {"method":"POST","path":"/api/installations/trackRevenue","access":"token","repeat":"key","contentType":"application/json"},
  trackBulk: {"method":"POST","path":"/api/installations/trackBulk","access":"token","repeat":"key","contentType":"application/json"},
  getUninstallReport: {"method":"GET","path":"/api/installations/v1/uninstall/report/{from}/{to}","access":"token","repeat":"always"},
  listImports: {"method":"GET","path":"/api/installations/import","access":"token","repeat":"always"},
  importDevices: {"method":"POST","path":"/api/installations/import","access":"token","repeat":"refused","contentType":"text/csv"},
  getImport: {"method":"GET","path":"/api/installations/import/{jobId}","access":"token","repeat":"always"},
  listImportErrors: {"method":"GET","path":"/api/installations/import/{jobId}/errors","access":"token","repeat":"always"},
  cancelImport: {"method":"POST","path":"/api/installations/import/{jobId}/cancel","access":"token","repeat":"refused"},
  listMessages: {"method":"GET","path":"/api/push/messages","access":"token","repeat":"always"},
  listDeliveries: {"method":"GET","path":"/api/push/messages/{id}/deliveries","access":"token","repeat":"always"},
  exportDeliveries: {"method":"GET","path":"/api/push/messages/{id}/deliveries/export","access":"token","repeat":"always"},
  listFallbacks: {"method":"GET","path":"/api/push/messages/{id}/fallbacks","access":"token","repeat":"always"},
  cancelMessage: {"method":"POST","path":"/api/push/messages/{id}/cancel","access":"token","repeat":"always"},
  listCampaigns: {"method":"GET","path":"/api/push/campaigns","access":"token","repeat":"always"},
  createCampaign: {"method":"POST","path":"/api/push/campaigns","access":"token","repeat":"refused","contentType":"application/json"},
  chooseWinner: {"method":"POST","path":"/api/push/campaigns/{id}/winner","access":"token","repeat":"refused","contentType":"application/json"},
  getOverview: {"method":"GET","path":"/api/push/overview","access":"token","repeat":"always"},
  listCampaignDays: {"method":"GET","path":"/api/push/overview/campaigns","access":"token","repeat":"always"},
  listMessageDevices: {"method":"GET","path":"/api/push/messages/{id}/devices","access":"token","repeat":"always"},
  getMessageDevice: {"method":"GET","path":"/api/push/messages/{id}/devices/{installationId}","access":"token","repeat":"always"},
  reportTwilioSms: {"method":"POST","path":"/api/sms/status/twilio/{appId}","access":"public","repeat":"refused"},
  reportSmsByQuery: {"method":"GET","path":"/api/sms/status/{provider}/{appId}/{secret}","access":"public","repeat":"always"},
  reportSmsByForm: {"method":"POST","path":"/api/sms/status/{provider}/{appId}/{secret}","access":"public","repeat":"refused"},
  listSegments: {"method":"GET","path":"/api/segments","access":"token","repeat":"always"},
  createSegment: {"method":"POST","path":"/api/segments","access":"token","repeat":"refused","contentType":"application/json"},
  listSegmentFields: {"method":"GET","path":"/api/segments/fields","access":"token","repeat":"always"},
  countGroup: {"method":"POST","path":"/api/segments/count","access":"token","repeat":"always","contentType":"application/json"},
  explainGroup: {"method":"POST","path":"/api/segments/explain","access":"token","repeat":"always","contentType":"application/json"},
  getSegment: {"method":"GET","path":"/api/segments/{id}","access":"token","repeat":"always"},
  replaceSegment: {"method":"PUT","path":"/api/segments/{id}","access":"token","repeat":"always","contentType":"application/json"},
  deleteSegment: {"method":"DELETE","path":"/api/segments/{id}","access":"token","repeat":"always"},
  listSegmentSizes: {"method":"GET","path":"/api/segments/{id}/sizes","access":"token","repeat":"always"},
  exportSegment: {"method":"GET","path":"/api/segments/{id}/export","access":"token","repeat":"always"},
  exportGroup: {"method":"POST","path":"/api/segments/export","access":"token","repeat":"always","contentType":"application/json"},
  listDrafts: {"method":"GET","path":"/api/drafts","access":"token","repeat":"always"},
  createDraft: {"method":"POST","path":"/api/drafts","access":"token","repeat":"refused","contentType":"application/json"},
  getDraft: {"method":"GET","path":"/api/drafts/{id}","access":"token","repeat":"always"},
  replaceDraft: {"method":"PUT","path":"/api/drafts/{id}","access":"token","repeat":"always","contentType":"application/json"},
  deleteDraft: {"method":"DELETE","path":"/api/drafts/{id}","access":"token","repeat":"always"},
  duplicateDraft: {"method":"POST","path":"/api/drafts/{id}/duplicate","access":"token","repeat":"refused","contentType":"application/json"},
  listTemplates: {"method":"GET","path":"/api/templates","access":"token","repeat":"always"},
  createTemplate: {"method":"POST","path":"/api/templates","access":"token","repeat":"refused","contentType":"application/json"},
  getTemplate: {"method":"GET","path":"/api/templates/{id}","access":"token","repeat":"always"},
  replaceTemplate: {"method":"PUT","path":"/api/templates/{id}","access":"token","repeat":"always","contentType":"application/json"},
  deleteTemplate: {"method":"DELETE","path":"/api/templates/{id}","access":"token","repeat":"always"},
  listTemplateVersions: {"method":"GET","path":"/api/templates/{id}/versions","access":"token","repeat":"always"},
  restoreTemplate: {"method":"POST","path":"/api/templates/{id}/restore","access":"token","repeat":"refused","contentType":"application/json"},
  listUsers: {"method":"GET","path":"/api/users","access":"token","repeat":"always"},
  getUser: {"method":"GET","path":"/api/users/{userId}","access":"token","repeat":"always"},
  eraseUser: {"method":"DELETE","path":"/api/users/{userId}","access":"token","repeat":"always"},
  listUserDeliveries: {"method":"GET","path":"/api/users/{userId}/deliveries","access":"token","repeat":"always"},
  exportUser: {"method":"GET","path":"/api/users/{userId}/export","access":"token","repeat":"always"},
  listChannels: {"method":"GET","path":"/api/channels","access":"token","repeat":"always"},
  getChannel: {"method":"GET","path":"/api/channels/{channel}","access":"token","repeat":"always"},
  uploadTagFile: {"method":"POST","path":"/api/installations/bulk/tags","access":"token","repeat":"refused","contentType":"text/csv"},
  getTagJob: {"method":"GET","path":"/api/installations/bulk/tags/{jobId}","access":"token","repeat":"always"},
  updatePromoCodes: {"method":"POST","path":"/api/containers/updatePromoCodes/{track_id}","access":"token","repeat":"refused","contentType":"multipart/form-data"},
  updateGlobalPromoCodes: {"method":"POST","path":"/api/containers/updateGlobalPromoCodes","access":"token","repeat":"refused","contentType":"multipart/form-data"},
  listPromoSets: {"method":"GET","path":"/api/promo/sets","access":"token","repeat":"always"},
  getPromoSet: {"method":"GET","path":"/api/promo/sets/{id}","access":"token","repeat":"always"},
  changePromoSet: {"method":"PUT","path":"/api/promo/sets/{id}","access":"token","repeat":"always","contentType":"application/json"},
  listPromoAssignments: {"method":"GET","path":"/api/promo/sets/{id}/assignments","access":"token","repeat":"always"},
  exportPromoAssignments: {"method":"GET","path":"/api/promo/sets/{id}/assignments/export","access":"token","repeat":"always"},
  getPromoJob: {"method":"GET","path":"/api/promo/jobs/{id}","access":"token","repeat":"always"},
  listTrackers: {"method":"GET","path":"/api/trackers","access":"token","repeat":"always"},
  createTracker: {"method":"POST","path":"/api/trackers","access":"token","repeat":"refused","contentType":"application/json"},
  getTracker: {"method":"GET","path":"/api/trackers/{id}","access":"token","repeat":"always"},
  updateTracker: {"method":"PATCH","path":"/api/trackers/{id}","access":"token","repeat":"always","contentType":"application/json"},
  deleteTracker: {"method":"DELETE","path":"/api/trackers/{id}","access":"token","repeat":"always"},
  getTrackerStats: {"method":"GET","path":"/api/trackers/{id}/stats","access":"token","repeat":"always"},
  getMessageStats: {"method":"GET","path":"/api/push/messages/{id}/stats","access":"token","repeat":"always"},
  getCampaignStats: {"method":"GET","path":"/api/push/campaigns/{id}/stats","access":"token","repeat":"always"},
  listMessageStats: {"method":"GET","path":"/api/push/messages/{id}/stats/{list}","access":"token","repeat":"always"},
  listCampaignStats: {"method":"GET","path":"/api/push/campaigns/{id}/stats/{list}","access":"token","repeat":"always"},
  listInbox: {"method":"GET","path":"/api/installations/{id}/inbox","access":"token","repeat":"always"},
  markInboxRead: {"method":"POST","path":"/api/installations/{id}/inbox/read","access":"token","repeat":"always"},
  markInboxMessageRead: {"method":"POST","path":"/api/installations/{id}/inbox/{messageId}/read","access":"token","repeat":"always"},
  deleteInboxMessage: {"method":"DELETE","path":"/api/installations/{id}/inbox/{messageId}","access":"token","repeat":"always"},
  listWebhooks: {"method":"GET","path":"/api/webhooks","access":"token","repeat":"always"},
  createWebhook: {"method":"POST","path":"/api/webhooks","access":"token","repeat":"refused","contentType":"application/json"},
  getWebhook: {"method":"GET","path":"/api/webhooks/{id}","access":"token","repeat":"always"},
  updateWebhook: {"method":"PATCH","path":"/api/webhooks/{id}","access":"token","repeat":"always","contentType":"application/json"},
  deleteWebhook: {"method":"DELETE","path":"/api/webhooks/{id}","access":"token","repeat":"always"},
  rotateWebhookSecret: {"method":"POST","path":"/api/webhooks/{id}/rotate-secret","access":"token","repeat":"refused","contentType":"application/json"},
  listWebhookDeliveries: {"method":"GET","path":"/api/webhooks/{id}/deliveries","access":"token","repeat":"always"},
  redeliverWebhookEvent: {"method":"POST","path":"/api/webhooks/{id}/deliveries/{eventId}/redeliver","access":"token","repeat":"refused"},
  testWebhook: {"method":"POST","path":"/api/webhooks/{id}/test","access":"token","repeat":"refused"},
  getVendorsHealth: {"method":"GET","path":"/api/admin/apps/{id}/vendors/health","access":"operator","repeat":"always"},
  applyQuarantine: {"method":"POST","path":"/api/admin/apps/{id}/vendors/{vendor}/quarantine/apply","access":"operator","repeat":"refused"},
  releaseQuarantine: {"method":"POST","path":"/api/admin/apps/{id}/vendors/{vendor}/quarantine/release","access":"operator","repeat":"refused"},
  resetBreaker: {"method":"POST","path":"/api/admin/apps/{id}/vendors/{vendor}/breaker/reset","access":"operator","repeat":"refused"},
  listOptedOutNumbers: {"method":"GET","path":"/api/admin/apps/{id}/opted-out-numbers","access":"operator","repeat":"always"},
  deleteOptedOutNumber: {"method":"DELETE","path":"/api/admin/apps/{id}/opted-out-numbers/{phone}","access":"operator","repeat":"always"},
} as const;

/** A method for each operation of the API, named as in the API reference. */
export abstract class Operations extends Caller {
  /**
   * Send to one or several named users, or with user "*" to everybody on the channel
   *
   * `POST /api/push/toUsers`. Takes a token with the scope `send`; `server` covers all of them.
   */
  toUsers(body: Body<operations['toUsers']>, options?: SendOptions): Promise<Sent> {
    return this.send(OPERATIONS.toUsers, { body }, options);
  }

  /**
   * Send to a group, by segment rules or target properties
   *
   * `POST /api/push/byQuery`. Takes a token with the scope `send`; `server` covers all of them.
   */
  byQuery(body: Body<operations['byQuery']>, options?: SendOptions): Promise<Sent> {
    return this.send(OPERATIONS.byQuery, { body }, options);
  }

  /**
   * Send to a group, by segment rules or target properties
   *
   * `POST /api/push/byquery`. Takes a token with the scope `send`; `server` covers all of them.
   */
  byQueryInLowerCase(body: Body<operations['byQueryInLowerCase']>, options?: SendOptions): Promise<Sent> {
    return this.send(OPERATIONS.byQueryInLowerCase, { body }, options);
  }

  /**
   * Send by vendor push only; takes the bodies of toUsers and of byQuery
   *
   * `POST /api/push/notifyUsers`. Takes a token with the scope `send`; `server` covers all of them.
   */
  notifyUsers(body: Body<operations['notifyUsers']>, options?: SendOptions): Promise<Sent> {
    return this.send(OPERATIONS.notifyUsers, { body }, options);
  }

  /**
   * Send by vendor push only; takes the bodies of toUsers and of byQuery
   *
   * `POST /api/push/notifyToUsers`. Takes a token with the scope `send`; `server` covers all of them.
   */
  notifyToUsers(body: Body<operations['notifyToUsers']>, options?: SendOptions): Promise<Sent> {
    return this.send(OPERATIONS.notifyToUsers, { body }, options);
  }

  /**
   * Send one notification by vendor push to a user's devices; the body is the notification
   *
   * `POST /api/push/notifyUser/{userId}`. Takes a token with the scope `send`; `server` covers all of them.
   */
  notifyUser(userId: string, body: Body<operations['notifyUser']>, options?: SendOptions): Promise<Sent> {
    return this.send(OPERATIONS.notifyUser, { path: { 'userId': userId }, body }, options);
  }

  /**
   * Preview a message on the devices of some users; nothing is sent
   *
   * `POST /api/push/preview`. Takes a token with the scope `send`; `server` covers all of them.
   */
  previewMessage(body: Body<operations['previewMessage']>, options?: CallOptions): Promise<Answer<operations['previewMessage']>> {
    return this.call(OPERATIONS.previewMessage, { body }, options);
  }

  /**
   * Read a message and its totals
   *
   * `GET /api/push/messages/{id}`. Takes a token with the scope `read`; `server` covers all of them.
   */
  getMessage(id: string, options?: CallOptions): Promise<Answer<operations['getMessage']>> {
    return this.call(OPERATIONS.getMessage, { path: { 'id': id } }, options);
  }

  /**
   * Move or edit a scheduled message until it leaves
   *
   * `PATCH /api/push/messages/{id}`. Takes a token with the scope `send`; `server` covers all of them.
   */
  changeMessage(id: string, body: Body<operations['changeMessage']>, query?: Query<operations['changeMessage']>, options?: CallOptions): Promise<Answer<operations['changeMessage']>> {
    return this.call(OPERATIONS.changeMessage, { path: { 'id': id }, body, query }, options);
  }

  /**
   * Read a campaign and its totals, by its id or its `trackId`
   *
   * `GET /api/push/campaigns/{id}`. Takes a token with the scope `read`; `server` covers all of them.
   */
  getCampaign(id: string, options?: CallOptions): Promise<Answer<operations['getCampaign']>> {
    return this.call(OPERATIONS.getCampaign, { path: { 'id': id } }, options);
  }

  /**
   * Move or edit a scheduled campaign until it leaves
   *
   * `PATCH /api/push/campaigns/{id}`. Takes a token with the scope `send`; `server` covers all of them.
   */
  changeCampaign(id: string, body: Body<operations['changeCampaign']>, query?: Query<operations['changeCampaign']>, options?: CallOptions): Promise<Answer<operations['changeCampaign']>> {
    return this.call(OPERATIONS.changeCampaign, { path: { 'id': id }, body, query }, options);
  }

  /**
   * List the applications
   *
   * `GET /api/admin/apps`. Takes the token of the operator.
   */
  listApplications(options?: CallOptions): Promise<Answer<operations['listApplications']>> {
    return this.call(OPERATIONS.listApplications, {}, options);
  }

  /**
   * Create an application
   *
   * `POST /api/admin/apps`. Takes the token of the operator.
   */
  createApplication(body: Body<operations['createApplication']>, options?: CallOptions): Promise<Answer<operations['createApplication']>> {
    return this.call(OPERATIONS.createApplication, { body }, options);
  }

  /**
   * Read an application
   *
   * `GET /api/admin/apps/{id}`. Takes the token of the operator.
   */
  getApplication(id: string, options?: CallOptions): Promise<Answer<operations['getApplication']>> {
    return this.call(OPERATIONS.getApplication, { path: { 'id': id } }, options);
  }

  /**
   * Change an application's settings
   *
   * `PATCH /api/admin/apps/{id}`. Takes the token of the operator.
   */
  updateApplication(id: string, body: Body<operations['updateApplication']>, query?: Query<operations['updateApplication']>, options?: CallOptions): Promise<Answer<operations['updateApplication']>> {
    return this.call(OPERATIONS.updateApplication, { path: { 'id': id }, body, query }, options);
  }

  /**
   * Remove an application and all of its data
   *
   * `DELETE /api/admin/apps/{id}`. Its tokens and vendor credentials go first, then its data, which takes minutes for a million devices. The answer comes when nothing is left. If the connection or the gateway ends before, the removal goes on by itself: `removalBeganAt` of the application says so, and the same call waits for its end.
   */
  deleteApplication(id: string, options?: CallOptions): Promise<Answer<operations['deleteApplication']>> {
    return this.call(OPERATIONS.deleteApplication, { path: { 'id': id } }, options);
  }

  /**
   * Rotate the identity key of an application; the former one stays valid for as long as the request says
   *
   * `POST /api/admin/apps/{id}/rotate-identity-key`. The answer shows the new key, this once. `userHash` is right if it was made with the new key or, until `formerValidUntil`, with the former one; keys before that are not valid any more. Every gateway follows within 4 seconds. Devices that have proved their user stay proved.
   */
  rotateIdentityKey(id: string, body?: Body<operations['rotateIdentityKey']>, options?: CallOptions): Promise<Answer<operations['rotateIdentityKey']>> {
    return this.call(OPERATIONS.rotateIdentityKey, { path: { 'id': id }, body }, options);
  }

  /**
   * Export an application: settings without secrets, segments, templates, drafts, trackers, users, devices
   *
   * `GET /api/admin/apps/{id}/archive`. Takes the token of the operator.
   */
  exportApplication(id: string, options?: CallOptions): Promise<Response> {
    return this.download(OPERATIONS.exportApplication, { path: { 'id': id } }, options);
  }

  /**
   * Import the archive that another installation exported. Existing objects stay as they are
   *
   * `POST /api/admin/apps/{id}/archive`. Takes the token of the operator.
   */
  importApplication(id: string, file: FileSource, options?: UploadOptions): Promise<Answer<operations['importApplication']>> {
    return this.call(OPERATIONS.importApplication, { path: { 'id': id }, file }, options);
  }

  /**
   * List an application's tokens
   *
   * `GET /api/admin/apps/{id}/tokens`. Takes the token of the operator.
   */
  listTokens(id: string, options?: CallOptions): Promise<Answer<operations['listTokens']>> {
    return this.call(OPERATIONS.listTokens, { path: { 'id': id } }, options);
  }

  /**
   * Create a token; it is shown once
   *
   * `POST /api/admin/apps/{id}/tokens`. Takes the token of the operator.
   */
  createToken(id: string, body: Body<operations['createToken']>, options?: CallOptions): Promise<Answer<operations['createToken']>> {
    return this.call(OPERATIONS.createToken, { path: { 'id': id }, body }, options);
  }

  /**
   * Revoke a token
   *
   * `DELETE /api/admin/apps/{id}/tokens/{tokenId}`. Takes the token of the operator.
   */
  revokeToken(id: string, tokenId: string, options?: CallOptions): Promise<Answer<operations['revokeToken']>> {
    return this.call(OPERATIONS.revokeToken, { path: { 'id': id, 'tokenId': tokenId } }, options);
  }

  /**
   * List the vendors that an application has credentials for
   *
   * `GET /api/admin/apps/{id}/vendors`. Takes the token of the operator.
   */
  listVendors(id: string, options?: CallOptions): Promise<Answer<operations['listVendors']>> {
    return this.call(OPERATIONS.listVendors, { path: { 'id': id } }, options);
  }

  /**
   * Store an application's credentials for a vendor
   *
   * `PUT /api/admin/apps/{id}/vendors/{vendor}`. Takes the token of the operator.
   */
  putVendorCredentials(id: string, vendor: Place<operations['putVendorCredentials'], 'vendor'>, body: Body<operations['putVendorCredentials']>, options?: CallOptions): Promise<Answer<operations['putVendorCredentials']>> {
    return this.call(OPERATIONS.putVendorCredentials, { path: { 'id': id, 'vendor': vendor }, body }, options);
  }

  /**
   * Delete an application's credentials for a vendor
   *
   * `DELETE /api/admin/apps/{id}/vendors/{vendor}`. Takes the token of the operator.
   */
  deleteVendorCredentials(id: string, vendor: Place<operations['deleteVendorCredentials'], 'vendor'>, options?: CallOptions): Promise<Answer<operations['deleteVendorCredentials']>> {
    return this.call(OPERATIONS.deleteVendorCredentials, { path: { 'id': id, 'vendor': vendor } }, options);
  }

  /**
   * Ask the vendor if the stored credentials work
   *
   * `POST /api/admin/apps/{id}/vendors/{vendor}/check`. Takes the token of the operator.
   */
  checkVendorCredentials(id: string, vendor: Place<operations['checkVendorCredentials'], 'vendor'>, options?: CallOptions): Promise<Answer<operations['checkVendorCredentials']>> {
    return this.call(OPERATIONS.checkVendorCredentials, { path: { 'id': id, 'vendor': vendor } }, options);
  }

  /**
   * Change attributes of the device's user
   *
   * `PUT /api/installations/userInfo`. Takes a token with the scope `devices`; `server` covers all of them.
   */
  updateUserInfo(body: Body<operations['updateUserInfo']>, options?: CallOptions): Promise<Answer<operations['updateUserInfo']>> {
    return this.call(OPERATIONS.updateUserInfo, { body }, options);
  }

  /**
   * Set attributes of a user, or of one installation alone
   *
   * `POST /api/installations/attributes`. Takes a token with the scope `server`.
   */
  setAttributes(body: Body<operations['setAttributes']>, options?: CallOptions): Promise<Answer<operations['setAttributes']>> {
    return this.call(OPERATIONS.setAttributes, { body }, options);
  }

  /**
   * Add to number attributes of the device's user
   *
   * `POST /api/installations/incrementAttribute`. Takes a token with the scope `devices`; `server` covers all of them.
   */
  incrementAttribute(body: Body<operations['incrementAttribute']>, options?: CallOptions): Promise<Answer<operations['incrementAttribute']>> {
    return this.call(OPERATIONS.incrementAttribute, { body }, options);
  }

  /**
   * Report receipts, tracked behaviour and opened links
   *
   * `POST /api/installations/events`. Takes a token with the scope `devices`; `server` covers all of them.
   */
  reportEvents(body: Body<operations['reportEvents']>, options?: CallOptions): Promise<Answer<operations['reportEvents']>> {
    return this.call(OPERATIONS.reportEvents, { body }, options);
  }

  /**
   * Read several installations
   *
   * `GET /api/installations`. Takes a token with the scope `devices`; `server` covers all of them.
   */
  listInstallations(query: Query<operations['listInstallations']>, options?: CallOptions): Promise<Answer<operations['listInstallations']>> {
    return this.call(OPERATIONS.listInstallations, { query }, options);
  }

  /**
   * Register a device
   *
   * `POST /api/installations`. Takes a token with the scope `devices`; `server` covers all of them.
   */
  register(body: Body<operations['register']>, options?: CallOptions): Promise<Answer<operations['register']>> {
    return this.call(OPERATIONS.register, { body }, options);
  }

  /**
   * Report if the app opened its deferred deep link
   *
   * `POST /api/installations/deferredDeepLink`. Takes a token with the scope `devices`; `server` covers all of them.
   */
  decideDeferredDeepLink(body: Body<operations['decideDeferredDeepLink']>, options?: CallOptions): Promise<Answer<operations['decideDeferredDeepLink']>> {
    return this.call(OPERATIONS.decideDeferredDeepLink, { body }, options);
  }

  /**
   * Change a device's vendor token
   *
   * `POST /api/installations/updateDeviceToken`. Takes a token with the scope `devices`; `server` covers all of them.
   */
  updateDeviceToken(body: Body<operations['updateDeviceToken']>, options?: CallOptions): Promise<Answer<operations['updateDeviceToken']>> {
    return this.call(OPERATIONS.updateDeviceToken, { body }, options);
  }

  /**
   * Read an installation, with its user’s attributes
   *
   * `GET /api/installations/{id}`. Takes a token with the scope `devices`; `server` covers all of them.
   */
  getInstallation(id: string, options?: CallOptions): Promise<Answer<operations['getInstallation']>> {
    return this.call(OPERATIONS.getInstallation, { path: { 'id': id } }, options);
  }

  /**
   * Replace an installation's state
   *
   * `PUT /api/installations/{id}`. Takes a token with the scope `devices`; `server` covers all of them.
   */
  replaceInstallation(id: string, body: Body<operations['replaceInstallation']>, options?: CallOptions): Promise<Answer<operations['replaceInstallation']>> {
    return this.call(OPERATIONS.replaceInstallation, { path: { 'id': id }, body }, options);
  }

  /**
   * Remove an installation; it receives no more messages
   *
   * `DELETE /api/installations/{id}`. Takes a token with the scope `devices`; `server` covers all of them.
   */
  deleteInstallation(id: string, options?: CallOptions): Promise<Answer<operations['deleteInstallation']>> {
    return this.call(OPERATIONS.deleteInstallation, { path: { 'id': id } }, options);
  }

  /**
   * Read if a device is connected
   *
   * `GET /api/installations/{id}/presence`. Takes a token with the scope `devices` or `read`; `server` covers all of them.
   */
  getPresence(id: string, options?: CallOptions): Promise<Answer<operations['getPresence']>> {
    return this.call(OPERATIONS.getPresence, { path: { 'id': id } }, options);
  }

  /**
   * List the members of a channel
   *
   * `GET /api/channels/{channel}/members`. Takes a token with the scope `read`; `server` covers all of them.
   */
  listChannelMembers(channel: string, query?: Query<operations['listChannelMembers']>, options?: CallOptions): Pages<Answer<operations['listChannelMembers']>, Answer<operations['listChannelMembers']>['members'][number]> {
    return this.list(OPERATIONS.listChannelMembers, { path: { 'channel': channel }, query }, 'members', options);
  }

  /**
   * Make installations, or all those of users, members of a channel
   *
   * `POST /api/channels/{channel}/members`. Takes a token with the scope `server`.
   */
  addChannelMembers(channel: string, body: Body<operations['addChannelMembers']>, options?: CallOptions): Promise<Answer<operations['addChannelMembers']>> {
    return this.call(OPERATIONS.addChannelMembers, { path: { 'channel': channel }, body }, options);
  }

  /**
   * Remove members from a channel
   *
   * `DELETE /api/channels/{channel}/members`. Takes a token with the scope `server`.
   */
  removeChannelMembers(channel: string, body: Body<operations['removeChannelMembers']>, options?: CallOptions): Promise<Answer<operations['removeChannelMembers']>> {
    return this.call(OPERATIONS.removeChannelMembers, { path: { 'channel': channel }, body }, options);
  }

  /**
   * Add a tag to all of a user's devices
   *
   * `GET /api/installations/addTag/{user_id}/{tag}`. Takes a token with the scope `tags`; `server` covers all of them.
   */
  addTag(userId: string, tag: string, options?: CallOptions): Promise<Answer<operations['addTag']>> {
    return this.call(OPERATIONS.addTag, { path: { 'user_id': userId, 'tag': tag } }, options);
  }

  /**
   * Add several tags to all of a user's devices
   *
   * `POST /api/installations/addTags`. Takes a token with the scope `tags` or `devices`; `server` covers all of them.
   */
  addTags(body: Body<operations['addTags']>, query?: Query<operations['addTags']>, options?: CallOptions): Promise<Answer<operations['addTags']>> {
    return this.call(OPERATIONS.addTags, { body, query }, options);
  }

  /**
   * Add a tag with a value, or change the value
   *
   * `POST /api/installations/addValueTag`. Takes a token with the scope `tags`; `server` covers all of them.
   */
  addValueTag(body: Body<operations['addValueTag']>, options?: CallOptions): Promise<Answer<operations['addValueTag']>> {
    return this.call(OPERATIONS.addValueTag, { body }, options);
  }

  /**
   * Remove a tag, and its value, from all of a user's devices
   *
   * `GET /api/installations/removeTag/{user_id}/{tag}`. Takes a token with the scope `tags`; `server` covers all of them.
   */
  removeTag(userId: string, tag: string, options?: CallOptions): Promise<Answer<operations['removeTag']>> {
    return this.call(OPERATIONS.removeTag, { path: { 'user_id': userId, 'tag': tag } }, options);
  }

  /**
   * Remove several tags from all of a user's devices
   *
   * `POST /api/installations/removeTags`. Takes a token with the scope `tags` or `devices`; `server` covers all of them.
   */
  removeTags(body: Body<operations['removeTags']>, query?: Query<operations['removeTags']>, options?: CallOptions): Promise<Answer<operations['removeTags']>> {
    return this.call(OPERATIONS.removeTags, { body, query }, options);
  }

  /**
   * Remove a tag and its value
   *
   * `POST /api/installations/removeValueTag`. Takes a token with the scope `tags`; `server` covers all of them.
   */
  removeValueTag(body: Body<operations['removeValueTag']>, options?: CallOptions): Promise<Answer<operations['removeValueTag']>> {
    return this.call(OPERATIONS.removeValueTag, { body }, options);
  }

  /**
   * List a user's tags; a key/value tag by its key
   *
   * `GET /api/installations/tags/{userId}`. Takes a token with the scope `devices` or `tags` or `read`; `server` covers all of them.
   */
  listTags(userId: string, options?: CallOptions): Promise<Answer<operations['listTags']>> {
    return this.call(OPERATIONS.listTags, { path: { 'userId': userId } }, options);
  }

  /**
   * Track an event of a user or of an installation
   *
   * `POST /api/installations/track`. Takes a token with the scope `send` or `devices`; `server` covers all of them.
   */
  track(body: Body<operations['track']>, options?: KeyedOptions): Promise<Keyed<Answer<operations['track']>>> {
    return this.once(OPERATIONS.track, { body }, options);
  }

  /**
   * Track an event that brought revenue in
   *
   * `POST /api/installations/trackPurchase`. Takes a token with the scope `send` or `devices`; `server` covers all of them.
   */
  trackPurchase(body: Body<operations['trackPurchase']>, options?: KeyedOptions): Promise<Keyed<Answer<operations['trackPurchase']>>> {
    return this.once(OPERATIONS.trackPurchase, { body }, options);
  }

  /**
   * Track revenue, as the event Purchase
   *
   * `POST /api/installations/trackRevenue`. Takes a token with the scope `send` or `devices`; `server` covers all of them.
   */
  trackRevenue(body: Body<operations['trackRevenue']>, options?: KeyedOptions): Promise<Keyed<Answer<operations['trackRevenue']>>> {
    return this.once(OPERATIONS.trackRevenue, { body }, options);
  }

  /**
   * Track up to 1,000 events: all of them, or none when one is wrong
   *
   * `POST /api/installations/trackBulk`. Takes a token with the scope `send` or `devices`; `server` covers all of them.
   */
  trackBulk(body: Body<operations['trackBulk']>, options?: KeyedOptions): Promise<Keyed<Answer<operations['trackBulk']>>> {
    return this.once(OPERATIONS.trackBulk, { body }, options);
  }

  /**
   * List devices whose vendor token the vendor called dead in a span of time, oldest first
   *
   * `GET /api/installations/v1/uninstall/report/{from}/{to}`. Takes a token with the scope `read`; `server` covers all of them.
   */
  getUninstallReport(from: Place<operations['getUninstallReport'], 'from'>, to: Place<operations['getUninstallReport'], 'to'>, query?: Query<operations['getUninstallReport']>, options?: CallOptions): Promise<Answer<operations['getUninstallReport']>> {
    return this.call(OPERATIONS.getUninstallReport, { path: { 'from': from, 'to': to }, query }, options);
  }

  /**
   * List the files of devices that were imported lately, the last one first
   *
   * `GET /api/installations/import`. Takes a token with the scope `server`.
   */
  listImports(query?: Query<operations['listImports']>, options?: CallOptions): Pages<Answer<operations['listImports']>, Answer<operations['listImports']>['imports'][number]> {
    return this.list(OPERATIONS.listImports, { query }, 'imports', options);
  }

  /**
   * Import devices from a file: of OneSignal, Parse, SNS, Pinpoint, browsers, a list, or with a mapping
   *
   * `POST /api/installations/import`. Takes a token with the scope `server`.
   */
  importDevices(file: FileSource, query?: Query<operations['importDevices']>, options?: UploadOptions): Promise<Answer<operations['importDevices']>> {
    return this.call(OPERATIONS.importDevices, { file, query }, options);
  }

  /**
   * Read how far a file of devices is imported
   *
   * `GET /api/installations/import/{jobId}`. Takes a token with the scope `server`.
   */
  getImport(jobId: string, options?: CallOptions): Promise<Answer<operations['getImport']>> {
    return this.call(OPERATIONS.getImport, { path: { 'jobId': jobId } }, options);
  }

  /**
   * Write all wrong lines of a file of devices as NDJSON
   *
   * `GET /api/installations/import/{jobId}/errors`. Takes a token with the scope `server`.
   */
  listImportErrors(jobId: string, options?: CallOptions): Promise<Response> {
    return this.download(OPERATIONS.listImportErrors, { path: { 'jobId': jobId } }, options);
  }

  /**
   * End an import; the devices that it wrote stay
   *
   * `POST /api/installations/import/{jobId}/cancel`. Takes a token with the scope `server`.
   */
  cancelImport(jobId: string, options?: CallOptions): Promise<Answer<operations['cancelImport']>> {
    return this.call(OPERATIONS.cancelImport, { path: { 'jobId': jobId } }, options);
  }

  /**
   * List toUsers and notifyUsers sends, newest first
   *
   * `GET /api/push/messages`. Takes a token with the scope `read`; `server` covers all of them.
   */
  listMessages(query?: Query<operations['listMessages']>, options?: CallOptions): Pages<Answer<operations['listMessages']>, Answer<operations['listMessages']>['messages'][number]> {
    return this.list(OPERATIONS.listMessages, { query }, 'messages', options);
  }

  /**
   * List a message's deliveries, one for each device
   *
   * `GET /api/push/messages/{id}/deliveries`. Takes a token with the scope `read`; `server` covers all of them.
   */
  listDeliveries(id: string, query?: Query<operations['listDeliveries']>, options?: CallOptions): Pages<Answer<operations['listDeliveries']>, Answer<operations['listDeliveries']>['deliveries'][number]> {
    return this.list(OPERATIONS.listDeliveries, { path: { 'id': id }, query }, 'deliveries', options);
  }

  /**
   * Export a message's deliveries as CSV
   *
   * `GET /api/push/messages/{id}/deliveries/export`. Takes a token with the scope `read`; `server` covers all of them.
   */
  exportDeliveries(id: string, query?: Query<operations['exportDeliveries']>, options?: CallOptions): Promise<Response> {
    return this.download(OPERATIONS.exportDeliveries, { path: { 'id': id }, query }, options);
  }

  /**
   * List a message's fallback SMS, one for each user
   *
   * `GET /api/push/messages/{id}/fallbacks`. Takes a token with the scope `read`; `server` covers all of them.
   */
  listFallbacks(id: string, query?: Query<operations['listFallbacks']>, options?: CallOptions): Pages<Answer<operations['listFallbacks']>, Answer<operations['listFallbacks']>['fallbacks'][number]> {
    return this.list(OPERATIONS.listFallbacks, { path: { 'id': id }, query }, 'fallbacks', options);
  }

  /**
   * Cancel a message: it is not sent to the remaining devices
   *
   * `POST /api/push/messages/{id}/cancel`. Takes a token with the scope `send`; `server` covers all of them.
   */
  cancelMessage(id: string, options?: CallOptions): Promise<Answer<operations['cancelMessage']>> {
    return this.call(OPERATIONS.cancelMessage, { path: { 'id': id } }, options);
  }

  /**
   * List campaigns, newest first
   *
   * `GET /api/push/campaigns`. Takes a token with the scope `read`; `server` covers all of them.
   */
  listCampaigns(query?: Query<operations['listCampaigns']>, options?: CallOptions): Pages<Answer<operations['listCampaigns']>, Answer<operations['listCampaigns']>['campaigns'][number]> {
    return this.list(OPERATIONS.listCampaigns, { query }, 'campaigns', options);
  }

  /**
   * Create a campaign before its first send
   *
   * `POST /api/push/campaigns`. Takes a token with the scope `send`; `server` covers all of them.
   */
  createCampaign(body: Body<operations['createCampaign']>, options?: CallOptions): Promise<Answer<operations['createCampaign']>> {
    return this.call(OPERATIONS.createCampaign, { body }, options);
  }

  /**
   * Choose the winner among the variants of a campaign; the users who wait for it get it
   *
   * `POST /api/push/campaigns/{id}/winner`. Takes a token with the scope `send`; `server` covers all of them.
   */
  chooseWinner(id: string, body: Body<operations['chooseWinner']>, options?: CallOptions): Promise<Answer<operations['chooseWinner']>> {
    return this.call(OPERATIONS.chooseWinner, { path: { 'id': id }, body }, options);
  }

  /**
   * Read the state of the application: sends, devices, throughput, what needs attention
   *
   * `GET /api/push/overview`. Takes a token with the scope `read`; `server` covers all of them.
   */
  getOverview(query?: Query<operations['getOverview']>, options?: CallOptions): Promise<Answer<operations['getOverview']>> {
    return this.call(OPERATIONS.getOverview, { query }, options);
  }

  /**
   * Read the campaigns of the last 30 days by day, and what devices reported about them
   *
   * `GET /api/push/overview/campaigns`. Takes a token with the scope `read`; `server` covers all of them.
   */
  listCampaignDays(options?: CallOptions): Promise<Answer<operations['listCampaignDays']>> {
    return this.call(OPERATIONS.listCampaignDays, {}, options);
  }

  /**
   * Read the result of a message on each device of a user, with the reason where it was not sent
   *
   * `GET /api/push/messages/{id}/devices`. Takes a token with the scope `read`; `server` covers all of them.
   */
  listMessageDevices(id: string, query: Query<operations['listMessageDevices']>, options?: CallOptions): Promise<Answer<operations['listMessageDevices']>> {
    return this.call(OPERATIONS.listMessageDevices, { path: { 'id': id }, query }, options);
  }

  /**
   * Read the result of a message on one device
   *
   * `GET /api/push/messages/{id}/devices/{installationId}`. Takes a token with the scope `read`; `server` covers all of them.
   */
  getMessageDevice(id: string, installationId: string, options?: CallOptions): Promise<Answer<operations['getMessageDevice']>> {
    return this.call(OPERATIONS.getMessageDevice, { path: { 'id': id, 'installationId': installationId } }, options);
  }

  /**
   * Receive Twilio's report about an SMS, signed with X-Twilio-Signature
   *
   * `POST /api/sms/status/twilio/{appId}`. Takes no token.
   */
  reportTwilioSms(appId: string, options?: CallOptions): Promise<Answer<operations['reportTwilioSms']>> {
    return this.call(OPERATIONS.reportTwilioSms, { path: { 'appId': appId } }, options);
  }

  /**
   * Receive a provider's report about an SMS as a query
   *
   * `GET /api/sms/status/{provider}/{appId}/{secret}`. Takes no token.
   */
  reportSmsByQuery(secret: string, appId: string, provider: Place<operations['reportSmsByQuery'], 'provider'>, options?: CallOptions): Promise<Answer<operations['reportSmsByQuery']>> {
    return this.call(OPERATIONS.reportSmsByQuery, { path: { 'secret': secret, 'appId': appId, 'provider': provider } }, options);
  }

  /**
   * Receive a provider's report about an SMS as a form
   *
   * `POST /api/sms/status/{provider}/{appId}/{secret}`. Takes no token.
   */
  reportSmsByForm(secret: string, appId: string, provider: Place<operations['reportSmsByForm'], 'provider'>, options?: CallOptions): Promise<Answer<operations['reportSmsByForm']>> {
    return this.call(OPERATIONS.reportSmsByForm, { path: { 'secret': secret, 'appId': appId, 'provider': provider } }, options);
  }

  /**
   * List saved segments, newest first
   *
   * `GET /api/segments`. Takes a token with the scope `send` or `read`; `server` covers all of them.
   */
  listSegments(query?: Query<operations['listSegments']>, options?: CallOptions): Pages<Answer<operations['listSegments']>, Answer<operations['listSegments']>['segments'][number]> {
    return this.list(OPERATIONS.listSegments, { query }, 'segments', options);
  }

  /**
   * Save a segment under a name
   *
   * `POST /api/segments`. Takes a token with the scope `send`; `server` covers all of them.
   */
  createSegment(body: Body<operations['createSegment']>, options?: CallOptions): Promise<Answer<operations['createSegment']>> {
    return this.call(OPERATIONS.createSegment, { body }, options);
  }

  /**
   * List the fields that rules can use, and their values on the newest devices
   *
   * `GET /api/segments/fields`. Takes a token with the scope `read`; `server` covers all of them.
   */
  listSegmentFields(options?: CallOptions): Promise<Answer<operations['listSegmentFields']>> {
    return this.call(OPERATIONS.listSegmentFields, {}, options);
  }

  /**
   * Count a group: the devices that a message would reach, all devices, their users
   *
   * `POST /api/segments/count`. Takes a token with the scope `send` or `read`; `server` covers all of them.
   */
  countGroup(body: Body<operations['countGroup']>, options?: CallOptions): Promise<Answer<operations['countGroup']>> {
    return this.call(OPERATIONS.countGroup, { body }, options);
  }

  /**
   * Count a group rule by rule, and explain why a user is in it or not
   *
   * `POST /api/segments/explain`. Takes a token with the scope `send` or `read`; `server` covers all of them.
   */
  explainGroup(body: Body<operations['explainGroup']>, options?: CallOptions): Promise<Answer<operations['explainGroup']>> {
    return this.call(OPERATIONS.explainGroup, { body }, options);
  }

  /**
   * Read a saved segment
   *
   * `GET /api/segments/{id}`. Takes a token with the scope `send` or `read`; `server` covers all of them.
   */
  getSegment(id: string, options?: CallOptions): Promise<Answer<operations['getSegment']>> {
    return this.call(OPERATIONS.getSegment, { path: { 'id': id } }, options);
  }

  /**
   * Replace the name and the rules of a saved segment
   *
   * `PUT /api/segments/{id}`. Takes a token with the scope `send`; `server` covers all of them.
   */
  replaceSegment(id: string, body: Body<operations['replaceSegment']>, options?: CallOptions): Promise<Answer<operations['replaceSegment']>> {
    return this.call(OPERATIONS.replaceSegment, { path: { 'id': id }, body }, options);
  }

  /**
   * Delete a saved segment
   *
   * `DELETE /api/segments/{id}`. Takes a token with the scope `send`; `server` covers all of them.
   */
  deleteSegment(id: string, options?: CallOptions): Promise<Answer<operations['deleteSegment']>> {
    return this.call(OPERATIONS.deleteSegment, { path: { 'id': id } }, options);
  }

  /**
   * Read the past sizes of a saved segment: hourly for two weeks, daily before that
   *
   * `GET /api/segments/{id}/sizes`. Takes a token with the scope `send` or `read`; `server` covers all of them.
   */
  listSegmentSizes(id: string, query?: Query<operations['listSegmentSizes']>, options?: CallOptions): Promise<Answer<operations['listSegmentSizes']>> {
    return this.call(OPERATIONS.listSegmentSizes, { path: { 'id': id }, query }, options);
  }

  /**
   * Export the devices of a saved segment as CSV
   *
   * `GET /api/segments/{id}/export`. Takes a token with the scope `read`; `server` covers all of them.
   */
  exportSegment(id: string, options?: CallOptions): Promise<Response> {
    return this.download(OPERATIONS.exportSegment, { path: { 'id': id } }, options);
  }

  /**
   * Export the devices of a group as CSV
   *
   * `POST /api/segments/export`. Takes a token with the scope `read`; `server` covers all of them.
   */
  exportGroup(body: Body<operations['exportGroup']>, options?: CallOptions): Promise<Response> {
    return this.download(OPERATIONS.exportGroup, { body }, options);
  }

  /**
   * List drafts, the last saved first
   *
   * `GET /api/drafts`. Takes a token with the scope `send` or `read`; `server` covers all of them.
   */
  listDrafts(query?: Query<operations['listDrafts']>, options?: CallOptions): Pages<Answer<operations['listDrafts']>, Answer<operations['listDrafts']>['drafts'][number]> {
    return this.list(OPERATIONS.listDrafts, { query }, 'drafts', options);
  }

  /**
   * Save a message that is not finished
   *
   * `POST /api/drafts`. Takes a token with the scope `send`; `server` covers all of them.
   */
  createDraft(body: Body<operations['createDraft']>, options?: CallOptions): Promise<Answer<operations['createDraft']>> {
    return this.call(OPERATIONS.createDraft, { body }, options);
  }

  /**
   * Read a draft
   *
   * `GET /api/drafts/{id}`. Takes a token with the scope `send` or `read`; `server` covers all of them.
   */
  getDraft(id: string, options?: CallOptions): Promise<Answer<operations['getDraft']>> {
    return this.call(OPERATIONS.getDraft, { path: { 'id': id } }, options);
  }

  /**
   * Save a draft over the revision that it was made from
   *
   * `PUT /api/drafts/{id}`. Takes a token with the scope `send`; `server` covers all of them.
   */
  replaceDraft(id: string, body: Body<operations['replaceDraft']>, options?: CallOptions): Promise<Answer<operations['replaceDraft']>> {
    return this.call(OPERATIONS.replaceDraft, { path: { 'id': id }, body }, options);
  }

  /**
   * Delete a draft
   *
   * `DELETE /api/drafts/{id}`. Takes a token with the scope `send`; `server` covers all of them.
   */
  deleteDraft(id: string, query?: Query<operations['deleteDraft']>, options?: CallOptions): Promise<Answer<operations['deleteDraft']>> {
    return this.call(OPERATIONS.deleteDraft, { path: { 'id': id }, query }, options);
  }

  /**
   * Make a second draft with the same content
   *
   * `POST /api/drafts/{id}/duplicate`. Takes a token with the scope `send`; `server` covers all of them.
   */
  duplicateDraft(id: string, body?: Body<operations['duplicateDraft']>, options?: CallOptions): Promise<Answer<operations['duplicateDraft']>> {
    return this.call(OPERATIONS.duplicateDraft, { path: { 'id': id }, body }, options);
  }

  /**
   * List templates, newest first
   *
   * `GET /api/templates`. Takes a token with the scope `send` or `read`; `server` covers all of them.
   */
  listTemplates(query?: Query<operations['listTemplates']>, options?: CallOptions): Pages<Answer<operations['listTemplates']>, Answer<operations['listTemplates']>['templates'][number]> {
    return this.list(OPERATIONS.listTemplates, { query }, 'templates', options);
  }

  /**
   * Save the content of messages under a name
   *
   * `POST /api/templates`. Takes a token with the scope `send`; `server` covers all of them.
   */
  createTemplate(body: Body<operations['createTemplate']>, options?: CallOptions): Promise<Answer<operations['createTemplate']>> {
    return this.call(OPERATIONS.createTemplate, { body }, options);
  }

  /**
   * Read a template at its newest version, or at another one
   *
   * `GET /api/templates/{id}`. Takes a token with the scope `send` or `read`; `server` covers all of them.
   */
  getTemplate(id: string, query?: Query<operations['getTemplate']>, options?: CallOptions): Promise<Answer<operations['getTemplate']>> {
    return this.call(OPERATIONS.getTemplate, { path: { 'id': id }, query }, options);
  }

  /**
   * Make a new version of a template
   *
   * `PUT /api/templates/{id}`. Takes a token with the scope `send`; `server` covers all of them.
   */
  replaceTemplate(id: string, body: Body<operations['replaceTemplate']>, options?: CallOptions): Promise<Answer<operations['replaceTemplate']>> {
    return this.call(OPERATIONS.replaceTemplate, { path: { 'id': id }, body }, options);
  }

  /**
   * Delete a template with its versions
   *
   * `DELETE /api/templates/{id}`. Takes a token with the scope `send`; `server` covers all of them.
   */
  deleteTemplate(id: string, options?: CallOptions): Promise<Answer<operations['deleteTemplate']>> {
    return this.call(OPERATIONS.deleteTemplate, { path: { 'id': id } }, options);
  }

  /**
   * List the versions of a template, newest first
   *
   * `GET /api/templates/{id}/versions`. Takes a token with the scope `send` or `read`; `server` covers all of them.
   */
  listTemplateVersions(id: string, query?: Query<operations['listTemplateVersions']>, options?: CallOptions): Pages<Answer<operations['listTemplateVersions']>, Answer<operations['listTemplateVersions']>['versions'][number]> {
    return this.list(OPERATIONS.listTemplateVersions, { path: { 'id': id }, query }, 'versions', options);
  }

  /**
   * Make the content of an old version the newest version
   *
   * `POST /api/templates/{id}/restore`. Takes a token with the scope `send`; `server` covers all of them.
   */
  restoreTemplate(id: string, body: Body<operations['restoreTemplate']>, options?: CallOptions): Promise<Answer<operations['restoreTemplate']>> {
    return this.call(OPERATIONS.restoreTemplate, { path: { 'id': id }, body }, options);
  }

  /**
   * List users by the beginning of their ids, or by an attribute; all of them as CSV
   *
   * `GET /api/users`. Takes a token with the scope `read`; `server` covers all of them.
   */
  listUsers(query?: Omit<Query<operations['listUsers']>, 'format'>, options?: CallOptions): Pages<Answer<operations['listUsers']>, Answer<operations['listUsers']>['users'][number]> {
    return this.list(OPERATIONS.listUsers, { query }, 'users', options);
  }

  /**
   * List users by the beginning of their ids, or by an attribute; all of them as CSV
   *
   * `GET /api/users`. Takes a token with the scope `read`; `server` covers all of them.
   */
  listUsersAsCsv(query?: Omit<Query<operations['listUsers']>, 'format' | 'cursor' | 'limit'>, options?: CallOptions): Promise<Response> {
    return this.download(OPERATIONS.listUsers, { query: { ...query, format: 'csv' } }, options);
  }

  /**
   * Read a user: tags, attributes, devices
   *
   * `GET /api/users/{userId}`. Takes a token with the scope `read`; `server` covers all of them.
   */
  getUser(userId: string, options?: CallOptions): Promise<Answer<operations['getUser']>> {
    return this.call(OPERATIONS.getUser, { path: { 'userId': userId } }, options);
  }

  /**
   * Erase a user and all that is stored about them
   *
   * `DELETE /api/users/{userId}`. Takes a token with the scope `server`.
   */
  eraseUser(userId: string, options?: CallOptions): Promise<Answer<operations['eraseUser']>> {
    return this.call(OPERATIONS.eraseUser, { path: { 'userId': userId } }, options);
  }

  /**
   * List the deliveries to a user, newest first, with their states
   *
   * `GET /api/users/{userId}/deliveries`. Takes a token with the scope `read`; `server` covers all of them.
   */
  listUserDeliveries(userId: string, query?: Query<operations['listUserDeliveries']>, options?: CallOptions): Pages<Answer<operations['listUserDeliveries']>, Answer<operations['listUserDeliveries']>['deliveries'][number]> {
    return this.list(OPERATIONS.listUserDeliveries, { path: { 'userId': userId }, query }, 'deliveries', options);
  }

  /**
   * Export all data that is stored about a user
   *
   * `GET /api/users/{userId}/export`. Takes a token with the scope `read`; `server` covers all of them.
   */
  exportUser(userId: string, options?: CallOptions): Promise<Answer<operations['exportUser']>> {
    return this.call(OPERATIONS.exportUser, { path: { 'userId': userId } }, options);
  }

  /**
   * List channels and their sizes
   *
   * `GET /api/channels`. Takes a token with the scope `read`; `server` covers all of them.
   */
  listChannels(query?: Query<operations['listChannels']>, options?: CallOptions): Pages<Answer<operations['listChannels']>, Answer<operations['listChannels']>['channels'][number]> {
    return this.list(OPERATIONS.listChannels, { query }, 'channels', options);
  }

  /**
   * Read the size of a channel
   *
   * `GET /api/channels/{channel}`. Takes a token with the scope `read`; `server` covers all of them.
   */
  getChannel(channel: string, options?: CallOptions): Promise<Answer<operations['getChannel']>> {
    return this.call(OPERATIONS.getChannel, { path: { 'channel': channel } }, options);
  }

  /**
   * Add and remove the tags in a file: CSV of userId,tag[,value] or NDJSON
   *
   * `POST /api/installations/bulk/tags`. Takes a token with the scope `tags`; `server` covers all of them.
   */
  uploadTagFile(file: FileSource, query?: Query<operations['uploadTagFile']>, options?: UploadOptions): Promise<Answer<operations['uploadTagFile']>> {
    return this.call(OPERATIONS.uploadTagFile, { file, query }, options);
  }

  /**
   * Read the progress of a tag file, and its refused lines
   *
   * `GET /api/installations/bulk/tags/{jobId}`. Takes a token with the scope `tags`; `server` covers all of them.
   */
  getTagJob(jobId: string, options?: CallOptions): Promise<Answer<operations['getTagJob']>> {
    return this.call(OPERATIONS.getTagJob, { path: { 'jobId': jobId } }, options);
  }

  /**
   * Replace a campaign's promo codes with those in a file
   *
   * `POST /api/containers/updatePromoCodes/{track_id}`. Takes a token with the scope `promo`; `server` covers all of them.
   */
  updatePromoCodes(trackId: string, file: FileSource, query?: Query<operations['updatePromoCodes']>, options?: UploadOptions): Promise<Answer<operations['updatePromoCodes']>> {
    return this.call(OPERATIONS.updatePromoCodes, { path: { 'track_id': trackId }, file, query }, options);
  }

  /**
   * Replace an application's global promo codes with those in a file
   *
   * `POST /api/containers/updateGlobalPromoCodes`. Takes a token with the scope `promo`; `server` covers all of them.
   */
  updateGlobalPromoCodes(file: FileSource, query?: Query<operations['updateGlobalPromoCodes']>, options?: UploadOptions): Promise<Answer<operations['updateGlobalPromoCodes']>> {
    return this.call(OPERATIONS.updateGlobalPromoCodes, { file, query }, options);
  }

  /**
   * List promo sets, newest first
   *
   * `GET /api/promo/sets`. Takes a token with the scope `promo` or `read`; `server` covers all of them.
   */
  listPromoSets(query?: Query<operations['listPromoSets']>, options?: CallOptions): Pages<Answer<operations['listPromoSets']>, Answer<operations['listPromoSets']>['sets'][number]> {
    return this.list(OPERATIONS.listPromoSets, { query }, 'sets', options);
  }

  /**
   * Read a promo set: how many codes are assigned, and how many remain
   *
   * `GET /api/promo/sets/{id}`. Takes a token with the scope `promo` or `read`; `server` covers all of them.
   */
  getPromoSet(id: string, options?: CallOptions): Promise<Answer<operations['getPromoSet']>> {
    return this.call(OPERATIONS.getPromoSet, { path: { 'id': id } }, options);
  }

  /**
   * Set the number of remaining codes at which a promo set counts as low; later sets inherit it
   *
   * `PUT /api/promo/sets/{id}`. Takes a token with the scope `promo`; `server` covers all of them.
   */
  changePromoSet(id: string, body: Body<operations['changePromoSet']>, options?: CallOptions): Promise<Answer<operations['changePromoSet']>> {
    return this.call(OPERATIONS.changePromoSet, { path: { 'id': id }, body }, options);
  }

  /**
   * List the assigned codes of a promo set and their users
   *
   * `GET /api/promo/sets/{id}/assignments`. Takes a token with the scope `promo` or `read`; `server` covers all of them.
   */
  listPromoAssignments(id: string, query?: Query<operations['listPromoAssignments']>, options?: CallOptions): Pages<Answer<operations['listPromoAssignments']>, Answer<operations['listPromoAssignments']>['assignments'][number]> {
    return this.list(OPERATIONS.listPromoAssignments, { path: { 'id': id }, query }, 'assignments', options);
  }

  /**
   * Export the assigned codes of a promo set and their users as CSV
   *
   * `GET /api/promo/sets/{id}/assignments/export`. Takes a token with the scope `promo` or `read`; `server` covers all of them.
   */
  exportPromoAssignments(id: string, query?: Query<operations['exportPromoAssignments']>, options?: CallOptions): Promise<Response> {
    return this.download(OPERATIONS.exportPromoAssignments, { path: { 'id': id }, query }, options);
  }

  /**
   * Read the progress of a promo code upload
   *
   * `GET /api/promo/jobs/{id}`. Takes a token with the scope `promo` or `read`; `server` covers all of them.
   */
  getPromoJob(id: string, options?: CallOptions): Promise<Answer<operations['getPromoJob']>> {
    return this.call(OPERATIONS.getPromoJob, { path: { 'id': id } }, options);
  }

  /**
   * List trackers, newest first
   *
   * `GET /api/trackers`. Takes a token with the scope `read`; `server` covers all of them.
   */
  listTrackers(query?: Query<operations['listTrackers']>, options?: CallOptions): Pages<Answer<operations['listTrackers']>, Answer<operations['listTrackers']>['trackers'][number]> {
    return this.list(OPERATIONS.listTrackers, { query }, 'trackers', options);
  }

  /**
   * Create a tracker
   *
   * `POST /api/trackers`. Takes a token with the scope `send`; `server` covers all of them.
   */
  createTracker(body: Body<operations['createTracker']>, options?: CallOptions): Promise<Answer<operations['createTracker']>> {
    return this.call(OPERATIONS.createTracker, { body }, options);
  }

  /**
   * Read a tracker
   *
   * `GET /api/trackers/{id}`. Takes a token with the scope `read`; `server` covers all of them.
   */
  getTracker(id: string, options?: CallOptions): Promise<Answer<operations['getTracker']>> {
    return this.call(OPERATIONS.getTracker, { path: { 'id': id } }, options);
  }

  /**
   * Change a tracker
   *
   * `PATCH /api/trackers/{id}`. Takes a token with the scope `send`; `server` covers all of them.
   */
  updateTracker(id: string, body: Body<operations['updateTracker']>, options?: CallOptions): Promise<Answer<operations['updateTracker']>> {
    return this.call(OPERATIONS.updateTracker, { path: { 'id': id }, body }, options);
  }

  /**
   * Remove a tracker; its links stop working
   *
   * `DELETE /api/trackers/{id}`. Takes a token with the scope `send`; `server` covers all of them.
   */
  deleteTracker(id: string, options?: CallOptions): Promise<Answer<operations['deleteTracker']>> {
    return this.call(OPERATIONS.deleteTracker, { path: { 'id': id } }, options);
  }

  /**
   * Read a tracker's clicks, visitors and installations, by time and platform
   *
   * `GET /api/trackers/{id}/stats`. Takes a token with the scope `read`; `server` covers all of them.
   */
  getTrackerStats(id: string, query?: Query<operations['getTrackerStats']>, options?: CallOptions): Promise<Answer<operations['getTrackerStats']>> {
    return this.call(OPERATIONS.getTrackerStats, { path: { 'id': id }, query }, options);
  }

  /**
   * Count what people did with a message, by time and platform
   *
   * `GET /api/push/messages/{id}/stats`. Takes a token with the scope `read`; `server` covers all of them.
   */
  getMessageStats(id: string, query?: Omit<Query<operations['getMessageStats']>, 'format'>, options?: CallOptions): Promise<Answer<operations['getMessageStats']>> {
    return this.call(OPERATIONS.getMessageStats, { path: { 'id': id }, query }, options);
  }

  /**
   * Count what people did with a message, by time and platform
   *
   * `GET /api/push/messages/{id}/stats`. Takes a token with the scope `read`; `server` covers all of them.
   */
  getMessageStatsAsCsv(id: string, query?: Omit<Query<operations['getMessageStats']>, 'format'>, options?: CallOptions): Promise<Response> {
    return this.download(OPERATIONS.getMessageStats, { path: { 'id': id }, query: { ...query, format: 'csv' } }, options);
  }

  /**
   * Count the reactions to all messages of a campaign, by time and platform
   *
   * `GET /api/push/campaigns/{id}/stats`. Takes a token with the scope `read`; `server` covers all of them.
   */
  getCampaignStats(id: string, query?: Omit<Query<operations['getCampaignStats']>, 'format'>, options?: CallOptions): Promise<Answer<operations['getCampaignStats']>> {
    return this.call(OPERATIONS.getCampaignStats, { path: { 'id': id }, query }, options);
  }

  /**
   * Count the reactions to all messages of a campaign, by time and platform
   *
   * `GET /api/push/campaigns/{id}/stats`. Takes a token with the scope `read`; `server` covers all of them.
   */
  getCampaignStatsAsCsv(id: string, query?: Omit<Query<operations['getCampaignStats']>, 'format'>, options?: CallOptions): Promise<Response> {
    return this.download(OPERATIONS.getCampaignStats, { path: { 'id': id }, query: { ...query, format: 'csv' } }, options);
  }

  /**
   * List all actions, links or currencies of a message, most frequent first
   *
   * `GET /api/push/messages/{id}/stats/{list}`. Takes a token with the scope `read`; `server` covers all of them.
   */
  listMessageStats(id: string, list: Place<operations['listMessageStats'], 'list'>, query?: Query<operations['listMessageStats']>, options?: CallOptions): Promise<Answer<operations['listMessageStats']>> {
    return this.call(OPERATIONS.listMessageStats, { path: { 'id': id, 'list': list }, query }, options);
  }

  /**
   * List all actions, links or currencies of a campaign, most frequent first
   *
   * `GET /api/push/campaigns/{id}/stats/{list}`. Takes a token with the scope `read`; `server` covers all of them.
   */
  listCampaignStats(id: string, list: Place<operations['listCampaignStats'], 'list'>, query?: Query<operations['listCampaignStats']>, options?: CallOptions): Promise<Answer<operations['listCampaignStats']>> {
    return this.call(OPERATIONS.listCampaignStats, { path: { 'id': id, 'list': list }, query }, options);
  }

  /**
   * Read the messages of a device's inbox, newest first, and the number of unread ones
   *
   * `GET /api/installations/{id}/inbox`. Takes a token with the scope `devices` or `read`; `server` covers all of them.
   */
  listInbox(id: string, query?: Query<operations['listInbox']>, options?: CallOptions): Pages<Answer<operations['listInbox']>, Answer<operations['listInbox']>['messages'][number]> {
    return this.list(OPERATIONS.listInbox, { path: { 'id': id }, query }, 'messages', options);
  }

  /**
   * Mark all messages of the inbox as read
   *
   * `POST /api/installations/{id}/inbox/read`. Takes a token with the scope `devices` or `read`; `server` covers all of them.
   */
  markInboxRead(id: string, query?: Query<operations['markInboxRead']>, options?: CallOptions): Promise<Answer<operations['markInboxRead']>> {
    return this.call(OPERATIONS.markInboxRead, { path: { 'id': id }, query }, options);
  }

  /**
   * Mark a message as read
   *
   * `POST /api/installations/{id}/inbox/{messageId}/read`. Takes a token with the scope `devices` or `read`; `server` covers all of them.
   */
  markInboxMessageRead(id: string, messageId: string, query?: Query<operations['markInboxMessageRead']>, options?: CallOptions): Promise<Answer<operations['markInboxMessageRead']>> {
    return this.call(OPERATIONS.markInboxMessageRead, { path: { 'id': id, 'messageId': messageId }, query }, options);
  }

  /**
   * Remove a message from the inbox
   *
   * `DELETE /api/installations/{id}/inbox/{messageId}`. Takes a token with the scope `devices` or `read`; `server` covers all of them.
   */
  deleteInboxMessage(id: string, messageId: string, query?: Query<operations['deleteInboxMessage']>, options?: CallOptions): Promise<Answer<operations['deleteInboxMessage']>> {
    return this.call(OPERATIONS.deleteInboxMessage, { path: { 'id': id, 'messageId': messageId }, query }, options);
  }

  /**
   * List the webhooks, oldest first, with their state
   *
   * `GET /api/webhooks`. Takes a token with the scope `server`.
   */
  listWebhooks(options?: CallOptions): Promise<Answer<operations['listWebhooks']>> {
    return this.call(OPERATIONS.listWebhooks, {}, options);
  }

  /**
   * Create a webhook; the secret that signs its events is shown once
   *
   * `POST /api/webhooks`. Takes a token with the scope `server`.
   */
  createWebhook(body: Body<operations['createWebhook']>, options?: CallOptions): Promise<Answer<operations['createWebhook']>> {
    return this.call(OPERATIONS.createWebhook, { body }, options);
  }

  /**
   * Read a webhook
   *
   * `GET /api/webhooks/{id}`. Takes a token with the scope `server`.
   */
  getWebhook(id: string, options?: CallOptions): Promise<Answer<operations['getWebhook']>> {
    return this.call(OPERATIONS.getWebhook, { path: { 'id': id } }, options);
  }

  /**
   * Change the address or the events of a webhook, switch it off or on again
   *
   * `PATCH /api/webhooks/{id}`. Takes a token with the scope `server`.
   */
  updateWebhook(id: string, body: Body<operations['updateWebhook']>, options?: CallOptions): Promise<Answer<operations['updateWebhook']>> {
    return this.call(OPERATIONS.updateWebhook, { path: { 'id': id }, body }, options);
  }

  /**
   * Delete a webhook, its pending events and its log
   *
   * `DELETE /api/webhooks/{id}`. Takes a token with the scope `server`.
   */
  deleteWebhook(id: string, options?: CallOptions): Promise<Answer<operations['deleteWebhook']>> {
    return this.call(OPERATIONS.deleteWebhook, { path: { 'id': id } }, options);
  }

  /**
   * Rotate the secret of a webhook; the former one also signs for a day
   *
   * `POST /api/webhooks/{id}/rotate-secret`. Takes a token with the scope `server`.
   */
  rotateWebhookSecret(id: string, body?: Body<operations['rotateWebhookSecret']>, options?: CallOptions): Promise<Answer<operations['rotateWebhookSecret']>> {
    return this.call(OPERATIONS.rotateWebhookSecret, { path: { 'id': id }, body }, options);
  }

  /**
   * List the events sent to a webhook, newest first
   *
   * `GET /api/webhooks/{id}/deliveries`. Takes a token with the scope `server`.
   */
  listWebhookDeliveries(id: string, query?: Query<operations['listWebhookDeliveries']>, options?: CallOptions): Pages<Answer<operations['listWebhookDeliveries']>, Answer<operations['listWebhookDeliveries']>['deliveries'][number]> {
    return this.list(OPERATIONS.listWebhookDeliveries, { path: { 'id': id }, query }, 'deliveries', options);
  }

  /**
   * Send an event again under the same id
   *
   * `POST /api/webhooks/{id}/deliveries/{eventId}/redeliver`. Takes a token with the scope `server`.
   */
  redeliverWebhookEvent(id: string, eventId: string, options?: CallOptions): Promise<Answer<operations['redeliverWebhookEvent']>> {
    return this.call(OPERATIONS.redeliverWebhookEvent, { path: { 'id': id, 'eventId': eventId } }, options);
  }

  /**
   * Send an event of the type webhook.test, also when the webhook does not subscribe to it
   *
   * `POST /api/webhooks/{id}/test`. Takes a token with the scope `server`.
   */
  testWebhook(id: string, options?: CallOptions): Promise<Answer<operations['testWebhook']>> {
    return this.call(OPERATIONS.testWebhook, { path: { 'id': id } }, options);
  }

  /**
   * Read the health of an application's vendors: held routes, refusals and quarantines
   *
   * `GET /api/admin/apps/{id}/vendors/health`. Takes the token of the operator.
   */
  getVendorsHealth(id: string, options?: CallOptions): Promise<Answer<operations['getVendorsHealth']>> {
    return this.call(OPERATIONS.getVendorsHealth, { path: { 'id': id } }, options);
  }

  /**
   * Switch off the tokens in quarantine, except those that devices have replaced
   *
   * `POST /api/admin/apps/{id}/vendors/{vendor}/quarantine/apply`. Takes the token of the operator.
   */
  applyQuarantine(id: string, vendor: Place<operations['applyQuarantine'], 'vendor'>, options?: CallOptions): Promise<Answer<operations['applyQuarantine']>> {
    return this.call(OPERATIONS.applyQuarantine, { path: { 'id': id, 'vendor': vendor } }, options);
  }

  /**
   * Release the tokens in quarantine: they stay in use, and what the vendor reported about them is discarded
   *
   * `POST /api/admin/apps/{id}/vendors/{vendor}/quarantine/release`. Takes the token of the operator.
   */
  releaseQuarantine(id: string, vendor: Place<operations['releaseQuarantine'], 'vendor'>, options?: CallOptions): Promise<Answer<operations['releaseQuarantine']>> {
    return this.call(OPERATIONS.releaseQuarantine, { path: { 'id': id, 'vendor': vendor } }, options);
  }

  /**
   * Retry a held vendor at once
   *
   * `POST /api/admin/apps/{id}/vendors/{vendor}/breaker/reset`. Takes the token of the operator.
   */
  resetBreaker(id: string, vendor: Place<operations['resetBreaker'], 'vendor'>, options?: CallOptions): Promise<Answer<operations['resetBreaker']>> {
    return this.call(OPERATIONS.resetBreaker, { path: { 'id': id, 'vendor': vendor } }, options);
  }

  /**
   * List the numbers whose owners opted out of SMS
   *
   * `GET /api/admin/apps/{id}/opted-out-numbers`. Takes the token of the operator.
   */
  listOptedOutNumbers(id: string, query?: Query<operations['listOptedOutNumbers']>, options?: CallOptions): Pages<Answer<operations['listOptedOutNumbers']>, Answer<operations['listOptedOutNumbers']>['numbers'][number]> {
    return this.list(OPERATIONS.listOptedOutNumbers, { path: { 'id': id }, query }, 'numbers', options);
  }

  /**
   * Allow SMS to a number again; the path has the number or its digest
   *
   * `DELETE /api/admin/apps/{id}/opted-out-numbers/{phone}`. Takes the token of the operator.
   */
  deleteOptedOutNumber(id: string, phone: string, options?: CallOptions): Promise<Answer<operations['deleteOptedOutNumber']>> {
    return this.call(OPERATIONS.deleteOptedOutNumber, { path: { 'id': id, 'phone': phone } }, options);
  }
}
