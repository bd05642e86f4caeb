// Made from the API document by `npm run panel-types`; not written by hand.

export const ActionRequest = {
  "options": {
    "minimum": 0,
    "maximum": 7
  }
} as const;

export const ApnsCredentialsRequest = {
  "keyId": {
    "minLength": 1,
    "maxLength": 20000,
    "pattern": "^[A-Za-z0-9]{1,64}$"
  },
  "teamId": {
    "minLength": 1,
    "maxLength": 20000,
    "pattern": "^[A-Za-z0-9]{1,64}$"
  },
  "privateKey": {
    "minLength": 1,
    "maxLength": 20000
  },
  "topic": {
    "minLength": 1,
    "maxLength": 20000,
    "pattern": "^[A-Za-z0-9.-]{1,255}$"
  },
  "ca": {
    "minLength": 1,
    "maxLength": 20000
  }
} as const;

export const ApplicationChangesRequest = {
  "defaultAlertText": {
    "maxLength": 1000
  },
  "defaultRegion": {
    "minLength": 2,
    "maxLength": 2,
    "pattern": "^[A-Za-z]{2}$"
  },
  "protectedAttributes": {
    "maxItems": 100,
    "items": {
      "minLength": 1,
      "maxLength": 255
    }
  },
  "requestsPerSecond": {
    "minimum": 1,
    "maximum": 1000000
  },
  "linkHosts": {
    "maxItems": 200,
    "items": {
      "maxLength": 257
    }
  },
  "linkSchemes": {
    "maxItems": 200,
    "items": {
      "pattern": "^[A-Za-z][A-Za-z0-9+.-]{0,62}$"
    }
  },
  "deferredLinkMinutes": {
    "minimum": 1,
    "maximum": 43200
  },
  "conversionWindowHours": {
    "minimum": 1,
    "maximum": 720
  },
  "devicesPerSecond": {
    "minimum": 1,
    "maximum": 1000000
  },
  "frequencyCaps": {
    "maxItems": 5
  },
  "name": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const AttributeIncrement = {
  "attribute": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const AttributesRequest = {
  "userId": {
    "minLength": 1,
    "maxLength": 255
  },
  "installationId": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const BehaviorEventRequest = {
  "eventName": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const ChannelMembersRequest = {
  "users": {
    "maxItems": 10000,
    "items": {
      "minLength": 1,
      "maxLength": 255
    }
  },
  "installations": {
    "maxItems": 10000,
    "items": {
      "minLength": 1,
      "maxLength": 255
    }
  }
} as const;

export const ChosenWinnerRequest = {
  "variant": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const DeferredLinkRequest = {
  "installationId": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const DeviceEventsRequest = {
  "installationId": {
    "minLength": 1,
    "maxLength": 255
  },
  "userId": {
    "minLength": 1,
    "maxLength": 255
  },
  "userHash": {
    "maxLength": 1024
  },
  "eventData": {
    "maxItems": 500
  }
} as const;

export const DeviceTokenRequest = {
  "userHash": {
    "maxLength": 1024
  },
  "deviceType": {
    "maxLength": 64
  },
  "tokenStatus": {
    "maxLength": 64
  },
  "installationId": {
    "minLength": 1,
    "maxLength": 255
  },
  "userId": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const DraftChangesRequest = {
  "name": {
    "minLength": 1,
    "maxLength": 255
  },
  "revision": {
    "minimum": 1,
    "maximum": 2147483647
  }
} as const;

export const DraftCopyRequest = {
  "name": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const DraftRequest = {
  "name": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const ExplainGroupRequest = {
  "userId": {
    "minLength": 1,
    "maxLength": 255
  },
  "installationId": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const FallbackRequest = {
  "content": {
    "minLength": 1
  },
  "delay": {
    "minimum": 0,
    "maximum": 86400
  }
} as const;

export const FrequencyCapRequest = {
  "messages": {
    "minimum": 1,
    "maximum": 100
  },
  "seconds": {
    "minimum": 1,
    "maximum": 2592000
  }
} as const;

export const HmsCredentialsRequest = {
  "appId": {
    "minLength": 1,
    "maxLength": 20000,
    "pattern": "^[A-Za-z0-9_-]{1,100}$"
  },
  "clientSecret": {
    "minLength": 1,
    "maxLength": 20000
  }
} as const;

export const HttpSmsCredentialsRequest = {
  "statusSecret": {
    "pattern": "^[A-Za-z0-9_-]{16,128}$"
  },
  "body": {
    "minLength": 1,
    "maxLength": 20000
  },
  "idPath": {
    "minLength": 1,
    "maxLength": 20000,
    "pattern": "^(?:\\$\\.?)?[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+|\\[\\d{1,4}\\])*$"
  },
  "ca": {
    "minLength": 1,
    "maxLength": 20000
  }
} as const;

export const IncrementRequest = {
  "installationId": {
    "minLength": 1,
    "maxLength": 255
  },
  "userHash": {
    "maxLength": 1024
  },
  "attributes": {
    "maxItems": 200
  }
} as const;

export const KavenegarCredentialsRequest = {
  "statusSecret": {
    "pattern": "^[A-Za-z0-9_-]{16,128}$"
  },
  "apiKey": {
    "minLength": 1,
    "maxLength": 20000,
    "pattern": "^[\\x21-\\x7e]{1,500}$"
  },
  "sender": {
    "minLength": 1,
    "maxLength": 20000,
    "pattern": "^[\\x20-\\x7e]{1,50}$"
  },
  "ca": {
    "minLength": 1,
    "maxLength": 20000
  }
} as const;

export const LinkEventRequest = {
  "msgId": {
    "minLength": 1,
    "maxLength": 255
  },
  "trackId": {
    "minLength": 1,
    "maxLength": 255
  },
  "link": {
    "maxLength": 4096
  }
} as const;

export const LocalizedContentRequest = {
  "content": {
    "minLength": 1
  }
} as const;

export const LocalizedFallbackRequest = {
  "content": {
    "minLength": 1
  }
} as const;

export const LocalizedNotificationRequest = {
  "ledColor": {
    "pattern": "^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$"
  },
  "title": {
    "minLength": 1
  }
} as const;

export const LocationRequest = {
  "lat": {
    "minimum": -90,
    "maximum": 90
  },
  "lng": {
    "minimum": -180,
    "maximum": 180
  }
} as const;

export const MessageChangesRequest = {
  "sendAt": {
    "pattern": "^(\\d{4})-(\\d\\d)-(\\d\\d)(?:T([01]\\d|2[0-3]):([0-5]\\d)(?::([0-5]\\d)(?:\\.(\\d{1,9}))?)?(?:Z|([+-])(0\\d|1[0-5]):([0-5]\\d))?)?$"
  },
  "content": {
    "minLength": 1
  },
  "variants": {
    "minItems": 2,
    "maxItems": 10
  },
  "ttl": {
    "minimum": 0,
    "maximum": 2419200
  },
  "rate": {
    "minimum": 1,
    "maximum": 1000000
  }
} as const;

export const NewApplicationRequest = {
  "defaultAlertText": {
    "maxLength": 1000
  },
  "defaultRegion": {
    "minLength": 2,
    "maxLength": 2,
    "pattern": "^[A-Za-z]{2}$"
  },
  "protectedAttributes": {
    "maxItems": 100,
    "items": {
      "minLength": 1,
      "maxLength": 255
    }
  },
  "requestsPerSecond": {
    "minimum": 1,
    "maximum": 1000000
  },
  "linkHosts": {
    "maxItems": 200,
    "items": {
      "maxLength": 257
    }
  },
  "linkSchemes": {
    "maxItems": 200,
    "items": {
      "pattern": "^[A-Za-z][A-Za-z0-9+.-]{0,62}$"
    }
  },
  "deferredLinkMinutes": {
    "minimum": 1,
    "maximum": 43200
  },
  "conversionWindowHours": {
    "minimum": 1,
    "maximum": 720
  },
  "devicesPerSecond": {
    "minimum": 1,
    "maximum": 1000000
  },
  "frequencyCaps": {
    "maxItems": 5
  },
  "id": {
    "pattern": "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$"
  },
  "name": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const NewCampaignRequest = {
  "trackId": {
    "minLength": 1,
    "maxLength": 255
  },
  "name": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const NewIdentityKeyRequest = {
  "identityKey": {
    "pattern": "^[\\x21-\\x7e]{32,255}$"
  },
  "formerValidSeconds": {
    "minimum": 0,
    "maximum": 2592000
  }
} as const;

export const NewSecretRequest = {
  "secret": {
    "pattern": "^whsec_[A-Za-z0-9+/]+={0,2}$"
  }
} as const;

export const NewTokenRequest = {
  "name": {
    "minLength": 1,
    "maxLength": 255
  },
  "scopes": {
    "minItems": 1,
    "maxItems": 6
  }
} as const;

export const NewTrackerRequest = {
  "deepLink": {
    "maxLength": 4096
  },
  "destination": {
    "maxLength": 4096
  },
  "redirect": {
    "maxLength": 4096
  },
  "allowedHosts": {
    "maxItems": 100,
    "items": {
      "maxLength": 255
    }
  },
  "name": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const NewWebhookRequest = {
  "url": {
    "maxLength": 2048
  },
  "events": {
    "minItems": 1,
    "maxItems": 50
  },
  "secret": {
    "pattern": "^whsec_[A-Za-z0-9+/]+={0,2}$"
  }
} as const;

export const NotificationRequest = {
  "ledColor": {
    "pattern": "^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$"
  },
  "title": {
    "minLength": 1
  }
} as const;

export const PreviewRequest = {
  "content": {
    "minLength": 1
  },
  "trackId": {
    "minLength": 1,
    "maxLength": 255
  },
  "ttl": {
    "minimum": 0,
    "maximum": 2419200
  },
  "holdout": {
    "minimum": 0,
    "maximum": 50
  },
  "variants": {
    "minItems": 2,
    "maxItems": 10
  },
  "rate": {
    "minimum": 1,
    "maximum": 1000000
  },
  "sendAt": {
    "pattern": "^(\\d{4})-(\\d\\d)-(\\d\\d)(?:T([01]\\d|2[0-3]):([0-5]\\d)(?::([0-5]\\d)(?:\\.(\\d{1,9}))?)?(?:Z|([+-])(0\\d|1[0-5]):([0-5]\\d))?)?$"
  },
  "expectedCount": {
    "minimum": 0,
    "maximum": 9007199254740991
  },
  "expectedCountTolerance": {
    "minimum": 0,
    "maximum": 1
  },
  "templateId": {
    "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
  },
  "templateVersion": {
    "minimum": 1,
    "maximum": 2147483647
  },
  "draftId": {
    "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
  },
  "draftRevision": {
    "minimum": 1,
    "maximum": 2147483647
  },
  "clientId": {
    "minLength": 1,
    "maxLength": 255
  },
  "users": {
    "minItems": 1,
    "maxItems": 20,
    "items": {
      "minLength": 1,
      "maxLength": 255
    }
  },
  "variant": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const PromoSetChangeRequest = {
  "lowStockAt": {
    "minimum": 0,
    "maximum": 1000000000
  }
} as const;

export const QuietHoursRequest = {
  "start": {
    "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"
  },
  "end": {
    "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"
  }
} as const;

export const ReceiptEventRequest = {
  "msgId": {
    "minLength": 1,
    "maxLength": 255
  },
  "trackId": {
    "minLength": 1,
    "maxLength": 255
  },
  "actionId": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const RegistrationRequest = {
  "userHash": {
    "maxLength": 1024
  },
  "deviceType": {
    "maxLength": 64
  },
  "tokenStatus": {
    "maxLength": 64
  },
  "appId": {
    "minLength": 1,
    "maxLength": 255
  },
  "userId": {
    "minLength": 1,
    "maxLength": 255
  },
  "launchCount": {
    "minimum": 0,
    "maximum": 9007199254740991
  },
  "subscriptions": {
    "maxItems": 1000
  },
  "timeZone": {
    "maxLength": 255
  },
  "locale": {
    "maxLength": 255
  },
  "installReferrer": {
    "maxLength": 4096
  },
  "clickToken": {
    "maxLength": 1024
  }
} as const;

export const SegmentChangesRequest = {
  "name": {
    "minLength": 1,
    "maxLength": 255
  },
  "revision": {
    "minimum": 1,
    "maximum": 2147483647
  }
} as const;

export const SegmentGroup = {
  "all": {
    "minItems": 1
  },
  "any": {
    "minItems": 1
  },
  "none": {
    "minItems": 1
  }
} as const;

export const SegmentRequest = {
  "name": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const SegmentRule = {
  "name": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const SendToGroupRequest = {
  "content": {
    "minLength": 1
  },
  "trackId": {
    "minLength": 1,
    "maxLength": 255
  },
  "ttl": {
    "minimum": 0,
    "maximum": 2419200
  },
  "holdout": {
    "minimum": 0,
    "maximum": 50
  },
  "variants": {
    "minItems": 2,
    "maxItems": 10
  },
  "rate": {
    "minimum": 1,
    "maximum": 1000000
  },
  "sendAt": {
    "pattern": "^(\\d{4})-(\\d\\d)-(\\d\\d)(?:T([01]\\d|2[0-3]):([0-5]\\d)(?::([0-5]\\d)(?:\\.(\\d{1,9}))?)?(?:Z|([+-])(0\\d|1[0-5]):([0-5]\\d))?)?$"
  },
  "expectedCount": {
    "minimum": 0,
    "maximum": 9007199254740991
  },
  "expectedCountTolerance": {
    "minimum": 0,
    "maximum": 1
  },
  "templateId": {
    "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
  },
  "templateVersion": {
    "minimum": 1,
    "maximum": 2147483647
  },
  "draftId": {
    "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
  },
  "draftRevision": {
    "minimum": 1,
    "maximum": 2147483647
  }
} as const;

export const SendToUserRequest = {
  "content": {
    "minLength": 1
  },
  "trackId": {
    "minLength": 1,
    "maxLength": 255
  },
  "ttl": {
    "minimum": 0,
    "maximum": 2419200
  },
  "holdout": {
    "minimum": 0,
    "maximum": 50
  },
  "variants": {
    "minItems": 2,
    "maxItems": 10
  },
  "rate": {
    "minimum": 1,
    "maximum": 1000000
  },
  "sendAt": {
    "pattern": "^(\\d{4})-(\\d\\d)-(\\d\\d)(?:T([01]\\d|2[0-3]):([0-5]\\d)(?::([0-5]\\d)(?:\\.(\\d{1,9}))?)?(?:Z|([+-])(0\\d|1[0-5]):([0-5]\\d))?)?$"
  },
  "expectedCount": {
    "minimum": 0,
    "maximum": 9007199254740991
  },
  "expectedCountTolerance": {
    "minimum": 0,
    "maximum": 1
  },
  "templateId": {
    "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
  },
  "templateVersion": {
    "minimum": 1,
    "maximum": 2147483647
  },
  "draftId": {
    "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
  },
  "draftRevision": {
    "minimum": 1,
    "maximum": 2147483647
  },
  "clientId": {
    "minLength": 1,
    "maxLength": 255
  },
  "user": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const SendToUsersRequest = {
  "content": {
    "minLength": 1
  },
  "trackId": {
    "minLength": 1,
    "maxLength": 255
  },
  "ttl": {
    "minimum": 0,
    "maximum": 2419200
  },
  "holdout": {
    "minimum": 0,
    "maximum": 50
  },
  "variants": {
    "minItems": 2,
    "maxItems": 10
  },
  "rate": {
    "minimum": 1,
    "maximum": 1000000
  },
  "sendAt": {
    "pattern": "^(\\d{4})-(\\d\\d)-(\\d\\d)(?:T([01]\\d|2[0-3]):([0-5]\\d)(?::([0-5]\\d)(?:\\.(\\d{1,9}))?)?(?:Z|([+-])(0\\d|1[0-5]):([0-5]\\d))?)?$"
  },
  "expectedCount": {
    "minimum": 0,
    "maximum": 9007199254740991
  },
  "expectedCountTolerance": {
    "minimum": 0,
    "maximum": 1
  },
  "templateId": {
    "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
  },
  "templateVersion": {
    "minimum": 1,
    "maximum": 2147483647
  },
  "draftId": {
    "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
  },
  "draftRevision": {
    "minimum": 1,
    "maximum": 2147483647
  },
  "clientId": {
    "minLength": 1,
    "maxLength": 255
  },
  "users": {
    "minItems": 1,
    "items": {
      "minLength": 1,
      "maxLength": 255
    }
  }
} as const;

export const ServiceAccountRequest = {
  "project_id": {
    "minLength": 1,
    "maxLength": 20000,
    "pattern": "^[A-Za-z0-9:._-]{1,255}$"
  },
  "client_email": {
    "minLength": 1,
    "maxLength": 20000,
    "pattern": "^[^\\s@]+@[^\\s@]+$"
  },
  "private_key": {
    "minLength": 1,
    "maxLength": 20000
  }
} as const;

export const TagOfUserRequest = {
  "userId": {
    "minLength": 1,
    "maxLength": 255
  },
  "tag": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const TagsRequest = {
  "userId": {
    "minLength": 1,
    "maxLength": 255
  },
  "tags": {
    "minItems": 1,
    "maxItems": 1000,
    "items": {
      "minLength": 1,
      "maxLength": 255
    }
  },
  "installationId": {
    "minLength": 1,
    "maxLength": 255
  },
  "userHash": {
    "maxLength": 1024
  }
} as const;

export const TemplateChangesRequest = {
  "name": {
    "minLength": 1,
    "maxLength": 255
  },
  "description": {
    "maxLength": 500
  },
  "variables": {
    "maxItems": 100
  },
  "version": {
    "minimum": 1,
    "maximum": 2147483647
  }
} as const;

export const TemplateRequest = {
  "name": {
    "minLength": 1,
    "maxLength": 255
  },
  "description": {
    "maxLength": 500
  },
  "variables": {
    "maxItems": 100
  }
} as const;

export const TemplateRestoreRequest = {
  "version": {
    "minimum": 1,
    "maximum": 2147483647
  }
} as const;

export const TemplateVariable = {
  "name": {
    "maxLength": 64,
    "pattern": "^[A-Za-z_]\\w{0,63}$"
  },
  "description": {
    "maxLength": 500
  }
} as const;

export const TrackPurchaseRequest = {
  "userId": {
    "minLength": 1,
    "maxLength": 255
  },
  "installationId": {
    "minLength": 1,
    "maxLength": 255
  },
  "userHash": {
    "maxLength": 1024
  },
  "eventName": {
    "minLength": 1,
    "maxLength": 255
  },
  "revenue": {
    "minimum": -1000000000000,
    "maximum": 1000000000000
  },
  "currency": {
    "maxLength": 16
  }
} as const;

export const TrackRequest = {
  "userId": {
    "minLength": 1,
    "maxLength": 255
  },
  "installationId": {
    "minLength": 1,
    "maxLength": 255
  },
  "userHash": {
    "maxLength": 1024
  },
  "eventName": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const TrackRevenueRequest = {
  "userId": {
    "minLength": 1,
    "maxLength": 255
  },
  "installationId": {
    "minLength": 1,
    "maxLength": 255
  },
  "userHash": {
    "maxLength": 1024
  },
  "revenue": {
    "minimum": -1000000000000,
    "maximum": 1000000000000
  },
  "currency": {
    "maxLength": 16
  }
} as const;

export const TrackerChangesRequest = {
  "deepLink": {
    "maxLength": 4096
  },
  "destination": {
    "maxLength": 4096
  },
  "redirect": {
    "maxLength": 4096
  },
  "allowedHosts": {
    "maxItems": 100,
    "items": {
      "maxLength": 255
    }
  },
  "name": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const TrackerPlatforms = {
  "ios": {
    "maxLength": 4096
  },
  "android": {
    "maxLength": 4096
  },
  "web": {
    "maxLength": 4096
  }
} as const;

export const TwilioCredentialsRequest = {
  "accountSid": {
    "minLength": 1,
    "maxLength": 20000,
    "pattern": "^AC[0-9a-fA-F]{32}$"
  },
  "authToken": {
    "minLength": 1,
    "maxLength": 20000,
    "pattern": "^[\\x21-\\x7e]{1,500}$"
  },
  "from": {
    "minLength": 1,
    "maxLength": 20000,
    "pattern": "^[\\x20-\\x7e]{1,50}$"
  },
  "messagingServiceSid": {
    "minLength": 1,
    "maxLength": 20000,
    "pattern": "^MG[0-9a-fA-F]{32}$"
  },
  "ca": {
    "minLength": 1,
    "maxLength": 20000
  }
} as const;

export const UserInfoRequest = {
  "installationId": {
    "minLength": 1,
    "maxLength": 255
  },
  "userHash": {
    "maxLength": 1024
  }
} as const;

export const ValueTagRequest = {
  "userId": {
    "minLength": 1,
    "maxLength": 255
  },
  "tag": {
    "minLength": 1,
    "maxLength": 255
  },
  "value": {
    "minLength": 1,
    "maxLength": 255
  }
} as const;

export const VariantRequest = {
  "name": {
    "minLength": 1,
    "maxLength": 255
  },
  "weight": {
    "minimum": 1,
    "maximum": 10000
  },
  "content": {
    "minLength": 1
  }
} as const;

export const WebPushCredentialsRequest = {
  "subject": {
    "minLength": 1,
    "maxLength": 20000,
    "pattern": "^(mailto:[^\\s@]+@[^\\s@]+|https://\\S+)$"
  },
  "publicKey": {
    "minLength": 1,
    "maxLength": 20000
  },
  "privateKey": {
    "minLength": 1,
    "maxLength": 20000
  }
} as const;

export const WebhookChangeRequest = {
  "url": {
    "maxLength": 2048
  },
  "events": {
    "minItems": 1,
    "maxItems": 50
  }
} as const;

export const WinnerRequest = {
  "after": {
    "minimum": 60,
    "maximum": 604800
  },
  "share": {
    "minimum": 1,
    "maximum": 99
  }
} as const;
