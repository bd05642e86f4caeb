// Made from the API document by `npm run panel-types`; not written by hand.

export interface paths {
    "/api/admin/apps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the applications
         * @description Takes the token of the operator.
         */
        get: operations["listApplications"];
        put?: never;
        /**
         * Create an application
         * @description Takes the token of the operator.
         */
        post: operations["createApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/apps/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an application
         * @description Takes the token of the operator.
         */
        get: operations["getApplication"];
        put?: never;
        post?: never;
        /**
         * Remove an application and all of its data
         * @description Its tokens and vendor credentials go first, then its data, which takes minutes for a million devices. The answer comes when nothing is left. If the connection or the gateway ends before, the removal goes on by itself: `removalBeganAt` of the application says so, and the same call waits for its end.
         */
        delete: operations["deleteApplication"];
        options?: never;
        head?: never;
        /**
         * Change an application's settings
         * @description Takes the token of the operator.
         */
        patch: operations["updateApplication"];
        trace?: never;
    };
    "/api/admin/apps/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export an application: settings without secrets, segments, templates, drafts, trackers, users, devices
         * @description Takes the token of the operator.
         */
        get: operations["exportApplication"];
        put?: never;
        /**
         * Import the archive that another installation exported. Existing objects stay as they are
         * @description Takes the token of the operator.
         */
        post: operations["importApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/apps/{id}/opted-out-numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the numbers whose owners opted out of SMS
         * @description Takes the token of the operator.
         */
        get: operations["listOptedOutNumbers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/apps/{id}/opted-out-numbers/{phone}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Allow SMS to a number again; the path has the number or its digest
         * @description Takes the token of the operator.
         */
        delete: operations["deleteOptedOutNumber"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/apps/{id}/rotate-identity-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the identity key of an application; the former one stays valid for as long as the request says
         * @description The answer shows the new key, this once. `userHash` is right if it was made with the new key or, until `formerValidUntil`, with the former one; keys before that are not valid any more. Every gateway follows within 4 seconds. Devices that have proved their user stay proved.
         */
        post: operations["rotateIdentityKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/apps/{id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an application's tokens
         * @description Takes the token of the operator.
         */
        get: operations["listTokens"];
        put?: never;
        /**
         * Create a token; it is shown once
         * @description Takes the token of the operator.
         */
        post: operations["createToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/apps/{id}/tokens/{tokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token
         * @description Takes the token of the operator.
         */
        delete: operations["revokeToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/apps/{id}/vendors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the vendors that an application has credentials for
         * @description Takes the token of the operator.
         */
        get: operations["listVendors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/apps/{id}/vendors/{vendor}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Store an application's credentials for a vendor
         * @description Takes the token of the operator.
         */
        put: operations["putVendorCredentials"];
        post?: never;
        /**
         * Delete an application's credentials for a vendor
         * @description Takes the token of the operator.
         */
        delete: operations["deleteVendorCredentials"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/apps/{id}/vendors/{vendor}/breaker/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a held vendor at once
         * @description Takes the token of the operator.
         */
        post: operations["resetBreaker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/apps/{id}/vendors/{vendor}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the vendor if the stored credentials work
         * @description Takes the token of the operator.
         */
        post: operations["checkVendorCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/apps/{id}/vendors/{vendor}/quarantine/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Switch off the tokens in quarantine, except those that devices have replaced
         * @description Takes the token of the operator.
         */
        post: operations["applyQuarantine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/apps/{id}/vendors/{vendor}/quarantine/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release the tokens in quarantine: they stay in use, and what the vendor reported about them is discarded
         * @description Takes the token of the operator.
         */
        post: operations["releaseQuarantine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/apps/{id}/vendors/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the health of an application's vendors: held routes, refusals and quarantines
         * @description Takes the token of the operator.
         */
        get: operations["getVendorsHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List channels and their sizes
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["listChannels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/{channel}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the size of a channel
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["getChannel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/channels/{channel}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of a channel
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["listChannelMembers"];
        put?: never;
        /**
         * Make installations, or all those of users, members of a channel
         * @description Takes a token with the scope `server`.
         */
        post: operations["addChannelMembers"];
        /**
         * Remove members from a channel
         * @description Takes a token with the scope `server`.
         */
        delete: operations["removeChannelMembers"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/containers/updateGlobalPromoCodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace an application's global promo codes with those in a file
         * @description Takes a token with the scope `promo`; `server` covers all of them.
         */
        post: operations["updateGlobalPromoCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/containers/updatePromoCodes/{track_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a campaign's promo codes with those in a file
         * @description Takes a token with the scope `promo`; `server` covers all of them.
         */
        post: operations["updatePromoCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List drafts, the last saved first
         * @description Takes a token with the scope `send` or `read`; `server` covers all of them.
         */
        get: operations["listDrafts"];
        put?: never;
        /**
         * Save a message that is not finished
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        post: operations["createDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/drafts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a draft
         * @description Takes a token with the scope `send` or `read`; `server` covers all of them.
         */
        get: operations["getDraft"];
        /**
         * Save a draft over the revision that it was made from
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        put: operations["replaceDraft"];
        post?: never;
        /**
         * Delete a draft
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        delete: operations["deleteDraft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/drafts/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a second draft with the same content
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        post: operations["duplicateDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read several installations
         * @description Takes a token with the scope `devices`; `server` covers all of them.
         */
        get: operations["listInstallations"];
        put?: never;
        /**
         * Register a device
         * @description Takes a token with the scope `devices`; `server` covers all of them.
         */
        post: operations["register"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an installation, with its user’s attributes
         * @description Takes a token with the scope `devices`; `server` covers all of them.
         */
        get: operations["getInstallation"];
        /**
         * Replace an installation's state
         * @description Takes a token with the scope `devices`; `server` covers all of them.
         */
        put: operations["replaceInstallation"];
        post?: never;
        /**
         * Remove an installation; it receives no more messages
         * @description Takes a token with the scope `devices`; `server` covers all of them.
         */
        delete: operations["deleteInstallation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/{id}/inbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the messages of a device's inbox, newest first, and the number of unread ones
         * @description Takes a token with the scope `devices` or `read`; `server` covers all of them.
         */
        get: operations["listInbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/{id}/inbox/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a message from the inbox
         * @description Takes a token with the scope `devices` or `read`; `server` covers all of them.
         */
        delete: operations["deleteInboxMessage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/{id}/inbox/{messageId}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a message as read
         * @description Takes a token with the scope `devices` or `read`; `server` covers all of them.
         */
        post: operations["markInboxMessageRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/{id}/inbox/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark all messages of the inbox as read
         * @description Takes a token with the scope `devices` or `read`; `server` covers all of them.
         */
        post: operations["markInboxRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/{id}/presence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read if a device is connected
         * @description Takes a token with the scope `devices` or `read`; `server` covers all of them.
         */
        get: operations["getPresence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/addTag/{user_id}/{tag}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Add a tag to all of a user's devices
         * @description Takes a token with the scope `tags`; `server` covers all of them.
         */
        get: operations["addTag"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/addTags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add several tags to all of a user's devices
         * @description Takes a token with the scope `tags` or `devices`; `server` covers all of them.
         */
        post: operations["addTags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/addValueTag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a tag with a value, or change the value
         * @description Takes a token with the scope `tags`; `server` covers all of them.
         */
        post: operations["addValueTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set attributes of a user, or of one installation alone
         * @description Takes a token with the scope `server`.
         */
        post: operations["setAttributes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/bulk/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add and remove the tags in a file: CSV of userId,tag[,value] or NDJSON
         * @description Takes a token with the scope `tags`; `server` covers all of them.
         */
        post: operations["uploadTagFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/bulk/tags/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the progress of a tag file, and its refused lines
         * @description Takes a token with the scope `tags`; `server` covers all of them.
         */
        get: operations["getTagJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/deferredDeepLink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report if the app opened its deferred deep link
         * @description Takes a token with the scope `devices`; `server` covers all of them.
         */
        post: operations["decideDeferredDeepLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report receipts, tracked behaviour and opened links
         * @description Takes a token with the scope `devices`; `server` covers all of them.
         */
        post: operations["reportEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of devices that were imported lately, the last one first
         * @description Takes a token with the scope `server`.
         */
        get: operations["listImports"];
        put?: never;
        /**
         * Import devices from a file: of OneSignal, Parse, SNS, Pinpoint, browsers, a list, or with a mapping
         * @description Takes a token with the scope `server`.
         */
        post: operations["importDevices"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/import/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how far a file of devices is imported
         * @description Takes a token with the scope `server`.
         */
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/import/{jobId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End an import; the devices that it wrote stay
         * @description Takes a token with the scope `server`.
         */
        post: operations["cancelImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/import/{jobId}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Write all wrong lines of a file of devices as NDJSON
         * @description Takes a token with the scope `server`.
         */
        get: operations["listImportErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/incrementAttribute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add to number attributes of the device's user
         * @description Takes a token with the scope `devices`; `server` covers all of them.
         */
        post: operations["incrementAttribute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/removeTag/{user_id}/{tag}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Remove a tag, and its value, from all of a user's devices
         * @description Takes a token with the scope `tags`; `server` covers all of them.
         */
        get: operations["removeTag"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/removeTags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove several tags from all of a user's devices
         * @description Takes a token with the scope `tags` or `devices`; `server` covers all of them.
         */
        post: operations["removeTags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/removeValueTag": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove a tag and its value
         * @description Takes a token with the scope `tags`; `server` covers all of them.
         */
        post: operations["removeValueTag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/tags/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a user's tags; a key/value tag by its key
         * @description Takes a token with the scope `devices` or `tags` or `read`; `server` covers all of them.
         */
        get: operations["listTags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/track": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Track an event of a user or of an installation
         * @description Takes a token with the scope `send` or `devices`; `server` covers all of them.
         */
        post: operations["track"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/trackBulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Track up to 1,000 events: all of them, or none when one is wrong
         * @description Takes a token with the scope `send` or `devices`; `server` covers all of them.
         */
        post: operations["trackBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/trackPurchase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Track an event that brought revenue in
         * @description Takes a token with the scope `send` or `devices`; `server` covers all of them.
         */
        post: operations["trackPurchase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/trackRevenue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Track revenue, as the event Purchase
         * @description Takes a token with the scope `send` or `devices`; `server` covers all of them.
         */
        post: operations["trackRevenue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/updateDeviceToken": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change a device's vendor token
         * @description Takes a token with the scope `devices`; `server` covers all of them.
         */
        post: operations["updateDeviceToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/userInfo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change attributes of the device's user
         * @description Takes a token with the scope `devices`; `server` covers all of them.
         */
        put: operations["updateUserInfo"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/installations/v1/uninstall/report/{from}/{to}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List devices whose vendor token the vendor called dead in a span of time, oldest first
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["getUninstallReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/promo/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the progress of a promo code upload
         * @description Takes a token with the scope `promo` or `read`; `server` covers all of them.
         */
        get: operations["getPromoJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/promo/sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List promo sets, newest first
         * @description Takes a token with the scope `promo` or `read`; `server` covers all of them.
         */
        get: operations["listPromoSets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/promo/sets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a promo set: how many codes are assigned, and how many remain
         * @description Takes a token with the scope `promo` or `read`; `server` covers all of them.
         */
        get: operations["getPromoSet"];
        /**
         * Set the number of remaining codes at which a promo set counts as low; later sets inherit it
         * @description Takes a token with the scope `promo`; `server` covers all of them.
         */
        put: operations["changePromoSet"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/promo/sets/{id}/assignments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the assigned codes of a promo set and their users
         * @description Takes a token with the scope `promo` or `read`; `server` covers all of them.
         */
        get: operations["listPromoAssignments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/promo/sets/{id}/assignments/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the assigned codes of a promo set and their users as CSV
         * @description Takes a token with the scope `promo` or `read`; `server` covers all of them.
         */
        get: operations["exportPromoAssignments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/byquery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send to a group, by segment rules or target properties
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        post: operations["byQueryInLowerCase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/byQuery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send to a group, by segment rules or target properties
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        post: operations["byQuery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List campaigns, newest first
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["listCampaigns"];
        put?: never;
        /**
         * Create a campaign before its first send
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/campaigns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a campaign and its totals, by its id or its `trackId`
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["getCampaign"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Move or edit a scheduled campaign until it leaves
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        patch: operations["changeCampaign"];
        trace?: never;
    };
    "/api/push/campaigns/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the reactions to all messages of a campaign, by time and platform
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["getCampaignStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/campaigns/{id}/stats/{list}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all actions, links or currencies of a campaign, most frequent first
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["listCampaignStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/campaigns/{id}/winner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose the winner among the variants of a campaign; the users who wait for it get it
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        post: operations["chooseWinner"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List toUsers and notifyUsers sends, newest first
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["listMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a message and its totals
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Move or edit a scheduled message until it leaves
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        patch: operations["changeMessage"];
        trace?: never;
    };
    "/api/push/messages/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a message: it is not sent to the remaining devices
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        post: operations["cancelMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/messages/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a message's deliveries, one for each device
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/messages/{id}/deliveries/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export a message's deliveries as CSV
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["exportDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/messages/{id}/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the result of a message on each device of a user, with the reason where it was not sent
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["listMessageDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/messages/{id}/devices/{installationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the result of a message on one device
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["getMessageDevice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/messages/{id}/fallbacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a message's fallback SMS, one for each user
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["listFallbacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/messages/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what people did with a message, by time and platform
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["getMessageStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/messages/{id}/stats/{list}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all actions, links or currencies of a message, most frequent first
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["listMessageStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/notifyToUsers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send by vendor push only; takes the bodies of toUsers and of byQuery
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        post: operations["notifyToUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/notifyUser/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send one notification by vendor push to a user's devices; the body is the notification
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        post: operations["notifyUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/notifyUsers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send by vendor push only; takes the bodies of toUsers and of byQuery
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        post: operations["notifyUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the state of the application: sends, devices, throughput, what needs attention
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/overview/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the campaigns of the last 30 days by day, and what devices reported about them
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["listCampaignDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a message on the devices of some users; nothing is sent
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        post: operations["previewMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/push/toUsers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send to one or several named users, or with user "*" to everybody on the channel
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        post: operations["toUsers"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List saved segments, newest first
         * @description Takes a token with the scope `send` or `read`; `server` covers all of them.
         */
        get: operations["listSegments"];
        put?: never;
        /**
         * Save a segment under a name
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        post: operations["createSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/segments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a saved segment
         * @description Takes a token with the scope `send` or `read`; `server` covers all of them.
         */
        get: operations["getSegment"];
        /**
         * Replace the name and the rules of a saved segment
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        put: operations["replaceSegment"];
        post?: never;
        /**
         * Delete a saved segment
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        delete: operations["deleteSegment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/segments/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the devices of a saved segment as CSV
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["exportSegment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/segments/{id}/sizes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the past sizes of a saved segment: hourly for two weeks, daily before that
         * @description Takes a token with the scope `send` or `read`; `server` covers all of them.
         */
        get: operations["listSegmentSizes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/segments/count": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count a group: the devices that a message would reach, all devices, their users
         * @description Takes a token with the scope `send` or `read`; `server` covers all of them.
         */
        post: operations["countGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/segments/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count a group rule by rule, and explain why a user is in it or not
         * @description Takes a token with the scope `send` or `read`; `server` covers all of them.
         */
        post: operations["explainGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/segments/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export the devices of a group as CSV
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        post: operations["exportGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/segments/fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fields that rules can use, and their values on the newest devices
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["listSegmentFields"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sms/status/{provider}/{appId}/{secret}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Receive a provider's report about an SMS as a query
         * @description Takes no token.
         */
        get: operations["reportSmsByQuery"];
        put?: never;
        /**
         * Receive a provider's report about an SMS as a form
         * @description Takes no token.
         */
        post: operations["reportSmsByForm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sms/status/twilio/{appId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive Twilio's report about an SMS, signed with X-Twilio-Signature
         * @description Takes no token.
         */
        post: operations["reportTwilioSms"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List templates, newest first
         * @description Takes a token with the scope `send` or `read`; `server` covers all of them.
         */
        get: operations["listTemplates"];
        put?: never;
        /**
         * Save the content of messages under a name
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        post: operations["createTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a template at its newest version, or at another one
         * @description Takes a token with the scope `send` or `read`; `server` covers all of them.
         */
        get: operations["getTemplate"];
        /**
         * Make a new version of a template
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        put: operations["replaceTemplate"];
        post?: never;
        /**
         * Delete a template with its versions
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        delete: operations["deleteTemplate"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/templates/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the content of an old version the newest version
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        post: operations["restoreTemplate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/templates/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a template, newest first
         * @description Takes a token with the scope `send` or `read`; `server` covers all of them.
         */
        get: operations["listTemplateVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/trackers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List trackers, newest first
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["listTrackers"];
        put?: never;
        /**
         * Create a tracker
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        post: operations["createTracker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/trackers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a tracker
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["getTracker"];
        put?: never;
        post?: never;
        /**
         * Remove a tracker; its links stop working
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        delete: operations["deleteTracker"];
        options?: never;
        head?: never;
        /**
         * Change a tracker
         * @description Takes a token with the scope `send`; `server` covers all of them.
         */
        patch: operations["updateTracker"];
        trace?: never;
    };
    "/api/trackers/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a tracker's clicks, visitors and installations, by time and platform
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["getTrackerStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users by the beginning of their ids, or by an attribute; all of them as CSV
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a user: tags, attributes, devices
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["getUser"];
        put?: never;
        post?: never;
        /**
         * Erase a user and all that is stored about them
         * @description Takes a token with the scope `server`.
         */
        delete: operations["eraseUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries to a user, newest first, with their states
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["listUserDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export all data that is stored about a user
         * @description Takes a token with the scope `read`; `server` covers all of them.
         */
        get: operations["exportUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks, oldest first, with their state
         * @description Takes a token with the scope `server`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook; the secret that signs its events is shown once
         * @description Takes a token with the scope `server`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook
         * @description Takes a token with the scope `server`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook, its pending events and its log
         * @description Takes a token with the scope `server`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change the address or the events of a webhook, switch it off or on again
         * @description Takes a token with the scope `server`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events sent to a webhook, newest first
         * @description Takes a token with the scope `server`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/deliveries/{eventId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again under the same id
         * @description Takes a token with the scope `server`.
         */
        post: operations["redeliverWebhookEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook; the former one also signs for a day
         * @description Takes a token with the scope `server`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event of the type webhook.test, also when the webhook does not subscribe to it
         * @description Takes a token with the scope `server`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptedImportResponse: {
            /**
             * Format: uuid
             * @description to ask how far it is
             */
            jobId: string;
        };
        AcceptedPromoUploadResponse: {
            /** Format: uuid */
            jobId: string;
            /** @description a UUID, or the id of the application for the global set */
            promoSetId: string;
        };
        AcceptedTagFileResponse: {
            /**
             * Format: uuid
             * @description the id of the job, to read its progress
             */
            jobId: string;
        };
        ActionPreviewResponse: {
            id?: string;
            title?: string;
            url?: string;
        };
        /** @description a button; unknown fields reach the device under `extra` */
        ActionRequest: {
            /** @description any scheme but javascript:, data:, vbscript:, file: */
            icon?: string;
            id?: string;
            /** @description 1 authentication, 2 destructive, 4 foreground, or a sum of them; iOS */
            options?: number;
            title?: string;
            /** @description any scheme but javascript:, data:, vbscript:, file: */
            url?: string;
        } & {
            [key: string]: unknown;
        };
        ActionTotal: {
            devices: number;
            id: string;
        };
        ApnsCredentialsRequest: {
            /** @description PEM of the only trusted certificate authority, for your own endpoint */
            ca?: string;
            /**
             * Format: uri
             * @description the default is Apple's address for the environment
             */
            endpoint?: string;
            /** @enum {string} */
            environment: "production" | "sandbox";
            keyId: string;
            /** @description PEM, EC P-256 */
            privateKey: string;
            teamId: string;
            topic: string;
        };
        ApplicationChangesRequest: {
            /**
             * @description Whose tags a token of the scope `devices` may edit: those of the device's own user, of any user, or of no user
             * @default own
             * @enum {string}
             */
            clientTags?: "own" | "any" | "none";
            /** @default 24 */
            conversionWindowHours?: number;
            /** @default You have a new message */
            defaultAlertText?: string;
            defaultRegion?: string | null;
            /** @description the time zone of devices that report none; UTC when null */
            defaultTimeZone?: string | null;
            /** @default 60 */
            deferredLinkMinutes?: number;
            /** @description for all sends together */
            devicesPerSecond?: number | null;
            /** @description The most campaigns that a user gets within any period of that many seconds; empty: no limit */
            frequencyCaps?: components["schemas"]["FrequencyCapRequest"][] | null;
            /** @description Hosts that tracker links may lead to (shop.example, *.shop.example); without any: the hosts that trackers name */
            linkHosts?: string[] | null;
            /** @description URL schemes of apps that tracker links may open; without any: every scheme that is not dangerous */
            linkSchemes?: string[] | null;
            /**
             * @description Match deferred links by network address and user agent too; 1, 0, "true", "false", "1" and "0" are accepted too
             * @default false
             */
            matchByAddress?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            name?: string;
            /**
             * @default send_without
             * @enum {string}
             */
            promoExhausted?: "send_without" | "skip";
            /**
             * @description Attributes that a device can set only with a correct userHash
             * @default [
             *       "phone"
             *     ]
             */
            protectedAttributes?: string[];
            /**
             * @example {
             *       "start": "22:00",
             *       "end": "08:00"
             *     }
             */
            quietHours?: components["schemas"]["QuietHoursRequest"] | null;
            requestsPerSecond?: number | null;
            /**
             * @description Devices must prove their user with userHash; a device that has not done so receives nothing; 1, 0, "true", "false", "1" and "0" are accepted too
             * @default false
             */
            requireUserHash?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
        };
        ApplicationResponse: {
            /** @enum {string} */
            clientTags: "own" | "any" | "none";
            conversionWindowHours: number;
            /** Format: date-time */
            createdAt: string;
            defaultAlertText: string;
            defaultRegion: string | null;
            defaultTimeZone: string | null;
            deferredLinkMinutes: number;
            /** @description for all sends together; null: no limit */
            devicesPerSecond: number | null;
            /**
             * Format: date-time
             * @description until then, a userHash that is made with the former identity key is accepted too; null: it is not
             */
            formerIdentityKeyValidUntil: string | null;
            frequencyCaps: components["schemas"]["FrequencyCapResponse"][];
            id: string;
            linkHosts: string[];
            linkSchemes: string[];
            matchByAddress: boolean;
            name: string;
            /** @enum {string} */
            promoExhausted: "send_without" | "skip";
            protectedAttributes: string[];
            quietHours: components["schemas"]["QuietHoursResponse"] | null;
            /**
             * Format: date-time
             * @description when its removal began, which goes on until all of its data is deleted; null: it is not being removed
             */
            removalBeganAt: string | null;
            requestsPerSecond: number | null;
            requireUserHash: boolean;
            /** @description rises with each change; a change may name the one that it was made from */
            revision: number;
            /** @description Devices that have not proved their user; only when one application is read; null while they are counted */
            unprovedDevices?: number | null;
            /** Format: date-time */
            updatedAt: string;
        };
        AppliedQuarantineResponse: {
            /** @description tokens that stay, because the device has another one by now, or registered the same one again */
            kept: number;
            switchedOff: number;
        };
        /**
         * @example {
         *       "users": 812,
         *       "devices": 2000,
         *       "segments": 4,
         *       "templates": 7,
         *       "templateVersions": 12,
         *       "drafts": 3,
         *       "trackers": 5,
         *       "kept": 0,
         *       "changedSettings": true,
         *       "failed": 0,
         *       "problems": []
         *     }
         */
        ArchiveImportResponse: {
            /** @description true if the application has the settings of the archive now */
            changedSettings: boolean;
            /** @description devices that are new */
            devices: number;
            /** @description drafts that are new */
            drafts: number;
            /** @description segments, templates, former versions, drafts and trackers that are wrong; they are left out */
            failed: number;
            /** @description objects of these kinds that existed already and stay as they are */
            kept: number;
            /** @description what is wrong with them: the first hundred */
            problems: components["schemas"]["ArchiveProblemResponse"][];
            /** @description segments that are new */
            segments: number;
            /** @description templates that are new */
            templates: number;
            /** @description former versions of templates that are new */
            templateVersions: number;
            /** @description trackers that are new */
            trackers: number;
            /** @description users who are new */
            users: number;
        };
        ArchiveProblemResponse: {
            /** @description the number of the line, from 1 */
            line: number;
            message: string;
        };
        AttentionResponse: {
            /** @enum {string} */
            kind: "no_vendor" | "credentials" | "breaker" | "quarantine" | "promo" | "lag" | "webhooks" | "identity_key";
            /** @description the problem, in a sentence */
            message: string;
            /** @enum {string} */
            severity: "warning" | "error";
            /** Format: date-time */
            since: string | null;
            /** @description the vendor that it is about */
            vendor: string | null;
        };
        AttributeIncrement: {
            /** @description an attribute that is a number; an absent one counts as 0 */
            attribute: string;
            /** @description the number to add; a negative number is subtracted */
            value: number;
        };
        /**
         * @description Attributes of a user, or of one installation alone
         * @example {
         *       "userId": "ada",
         *       "attributes": {
         *         "plan": "gold",
         *         "interests": [
         *           "chess"
         *         ],
         *         "age": null
         *       }
         *     }
         * @example {
         *       "installationId": "01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d",
         *       "attributes": {
         *         "theme": "dark"
         *       }
         *     }
         */
        AttributesRequest: {
            /** @description by name; null removes an attribute */
            attributes: {
                [key: string]: string | number | boolean | (string | number | boolean)[] | null;
            };
            installationId?: string;
            userId?: string;
        };
        /** @description type 2: a tracked behaviour */
        BehaviorEventRequest: {
            /**
             * Format: date-time
             * @description when it happened; the default is the `createdAt` of the request; ISO 8601, or milliseconds since 1970
             */
            createdAt?: string | number;
            /** @description with `revenue`, or `isRevenue` and `value`, and `currency`: a conversion */
            data?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean;
            eventName?: string;
            /** @enum {integer} */
            type: 2;
        };
        CampaignDayResponse: {
            /**
             * Format: date-time
             * @description the beginning of the day (UTC)
             */
            at: string;
            campaigns: number;
            clicked: number;
            delivered: number;
            /** @description the sum of their `count`: what rates are a share of */
            devices: number;
            opened: number;
        };
        CampaignDaysResponse: {
            /**
             * Format: date-time
             * @description when they were counted; null while they are counted for the first time
             */
            asOf: string | null;
            /** @description the last 30 days and today, oldest first, also those without a campaign; cancelled campaigns are left out */
            days: components["schemas"]["CampaignDayResponse"][];
        };
        CampaignEngagementResponse: {
            /** @description devices that chose an action or a link; each counts once */
            clicked: number;
            /** @description devices that confirmed it */
            delivered: number;
            /** @description devices that opened it */
            opened: number;
        };
        CampaignsResponse: {
            campaigns: (components["schemas"]["CampaignSummaryResponse"] | components["schemas"]["PlannedCampaignResponse"])[];
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
        };
        CampaignSummaryResponse: {
            /** Format: date-time */
            acceptedAt: string;
            batchId: string | null;
            /** Format: date-time */
            cancelledAt: string | null;
            channel: string;
            clientId: string | null;
            /** @description the content, as requested */
            content: components["schemas"]["MessageContentResponse"];
            /** @description the number of devices the message is sent to, as computed when it was accepted */
            count: number;
            /** Format: date-time */
            doneAt: string | null;
            engagement: components["schemas"]["CampaignEngagementResponse"];
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            ignoreQuietHours: boolean;
            /** @enum {string} */
            kind: "users" | "query" | "notify";
            localTime: boolean;
            /** @description devices per second, as requested */
            rate: number | null;
            /** @description as requested: ISO 8601, without an offset when localTime is set */
            sendAt: string | null;
            /**
             * Format: date-time
             * @description when it leaves or left; with localTime in the first time zone
             */
            startsAt: string;
            /** @enum {string} */
            status: "accepted" | "sending" | "done" | "cancelled";
            trackId: string | null;
        };
        CampaignTestResponse: {
            /** @description all users who were sent to */
            all: components["schemas"]["TestFiguresResponse"];
            holdout: components["schemas"]["HoldoutResponse"] | null;
            variants: components["schemas"]["VariantFiguresResponse"][];
            /** @description says if the difference between the variants is more than chance */
            verdict: string | null;
            winner: components["schemas"]["WinnerResponse"] | null;
        };
        ChannelListResponse: {
            channels: components["schemas"]["ChannelResponse"][];
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
        };
        ChannelMemberListResponse: {
            members: components["schemas"]["ChannelMemberResponse"][];
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
        };
        ChannelMemberResponse: {
            /** Format: uuid */
            installationId: string;
            userId: string;
        };
        /**
         * @example {
         *       "users": [
         *         "ada",
         *         "grace"
         *       ]
         *     }
         * @example {
         *       "installations": [
         *         "01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d"
         *       ]
         *     }
         */
        ChannelMembersRequest: {
            installations?: string[];
            users?: string[];
        };
        ChannelResponse: {
            channel: string;
            /** @description true for a default channel: every installation is always a member */
            isEverybody: boolean;
            /** @description installations that are members */
            size: number;
        };
        /**
         * @example {
         *       "variant": "B"
         *     }
         */
        ChosenWinnerRequest: {
            /** @description the name of one of the variants */
            variant: string;
        };
        /**
         * @example {
         *       "target": {
         *         "deviceType": "android"
         *       },
         *       "segment": {
         *         "all": [
         *           {
         *             "name": "launchTime",
         *             "operator": "after",
         *             "value": "7d"
         *           }
         *         ]
         *       },
         *       "users": true
         *     }
         */
        CountGroupRequest: {
            /**
             * @description sport or public/sport; /private/alerts
             * @default public/default
             */
            channel?: string;
            segment?: components["schemas"]["SegmentGroup"] | components["schemas"]["SavedSegmentReference"];
            /** @description the value of each field; an array means one of its values; nearBy has a circle, or [lat, lng, radius] */
            target?: {
                [key: string]: (string | number | boolean | (string | number | boolean)[]) | ({
                    lat: number | string;
                    lng: number | string;
                    radius: number | string;
                } | (number | string)[]);
            };
            /**
             * @description true to count users too, which is slower; 1, 0, "true", "false", "1" and "0" are accepted too
             * @default false
             */
            users?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
        };
        CountResponse: {
            count: number;
        };
        DeadTokensResponse: {
            count: number;
            /**
             * Format: date-time
             * @description when the first of these tokens is switched off
             */
            nextAt: string;
        };
        /**
         * @example {
         *       "installationId": "01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d",
         *       "opened": true
         *     }
         */
        DeferredLinkRequest: {
            installationId: string;
            /** @description true if the app opened it; 1, 0, "true", "false", "1" and "0" are accepted too */
            opened: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
        };
        DeleteOptedOutNumberAnswer: {
            phone?: string;
        };
        DeleteVendorCredentialsAnswer: {
            vendor?: string;
        };
        DeliveriesResponse: {
            deliveries: components["schemas"]["DeliveryResponse"][];
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
        };
        DeliveryResponse: {
            attempt: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            deliveredAt: string | null;
            /** Format: date-time */
            dismissedAt: string | null;
            error: string | null;
            /** Format: uuid */
            installationId: string | null;
            /** @description the tag of `localized` that it was sent in; null: the default, or not sent */
            language: string | null;
            /** Format: date-time */
            openedAt: string | null;
            promoCode: string | null;
            /** @description why it was not sent, or what it waits for, in words */
            reason: string | null;
            /** Format: date-time */
            sentAt: string | null;
            /** Format: date-time */
            shownAt: string | null;
            /** @enum {string} */
            state: "pending" | "sent" | "delivered" | "shown" | "dismissed" | "opened" | "failed" | "expired" | "skipped" | "cancelled";
            /** Format: date-time */
            updatedAt: string;
            userId: string | null;
            /** @description the variant that its user gets; null: none, or none yet */
            variant: string | null;
            vendor: string | null;
            vendorMessageId: string | null;
        };
        /**
         * @example {
         *       "installationId": "01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d",
         *       "userId": "ada",
         *       "eventData": [
         *         {
         *           "type": 1,
         *           "actionType": "OPENED",
         *           "msgId": "01932c5e-8000-7c3e-8a3b-0f6d2a1b4c5d",
         *           "actionTs": "2026-11-22T09:00:00Z"
         *         },
         *         {
         *           "type": 2,
         *           "eventName": "order",
         *           "data": {
         *             "revenue": 12.5,
         *             "currency": "EUR"
         *           }
         *         }
         *       ]
         *     }
         */
        DeviceEventsRequest: {
            /**
             * Format: date-time
             * @description when it was reported; ISO 8601, or milliseconds since 1970
             */
            createdAt?: string | number;
            eventData: (components["schemas"]["ReceiptEventRequest"] | components["schemas"]["BehaviorEventRequest"] | components["schemas"]["LinkEventRequest"])[];
            installationId: string;
            /** @description HMAC-SHA256 of the user's id under the application's identity key, in hexadecimal or base64 */
            userHash?: string;
            userId: string;
        };
        DevicePreviewResponse: {
            actions?: components["schemas"]["ActionPreviewResponse"][];
            body?: string;
            /** @description the size in bytes, as the vendor counts it */
            bytes?: number;
            clickUrl?: string;
            content?: string;
            data?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean;
            deviceType: string | null;
            /** Format: uuid */
            installationId: string;
            /** @description the tag of `localized` that is shown; null: the default */
            language: string | null;
            /** @description the vendor's limit in bytes; a connection has none */
            limit?: number;
            /** @description the payload that is sent to the vendor or over the connection */
            payload?: {
                [key: string]: unknown;
            };
            /** @description why it would receive nothing: it cannot be reached, or the message cannot be rendered for it */
            problem?: components["schemas"]["PreviewProblemResponse"];
            title?: string;
            /** @description the vendor that would be used now; null when the device cannot be reached */
            vendor: string | null;
            /** @description for example variables without a value */
            warnings: string[];
        };
        DevicesOverview: {
            /**
             * Format: date-time
             * @description when they were counted
             */
            asOf: string;
            byType: components["schemas"]["DeviceTypeOverview"][];
            reachable: number;
            total: number;
            /** @description devices that could be reached if these vendors were connected, most first */
            waitingForVendors: components["schemas"]["WaitingDevicesOverview"][];
        };
        /**
         * @example {
         *       "installationId": "01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d",
         *       "userId": "ada",
         *       "deviceType": "android",
         *       "deviceToken": "fX2k…"
         *     }
         */
        DeviceTokenRequest: {
            /** @description FCM, HMS or APNs token; for web a PushSubscription, as an object or as its JSON text; `disabled` or `NOT_EXIST`: no token */
            deviceToken: string | ({
                endpoint: string;
                keys: {
                    auth: string;
                    p256dh: string;
                };
            } & {
                [key: string]: unknown;
            });
            /** @description such as android, huawei, ios, web */
            deviceType?: string;
            installationId: string;
            /**
             * @description the default depends on `deviceType`
             * @enum {string}
             */
            pushType?: "fcm" | "apns" | "hms" | "webpush";
            /** @description such as ALLOWED, DENIED, NOT_SUPPORTED, ERR */
            tokenStatus?: string;
            /** @description HMAC-SHA256 of the user's id under the application's identity key, in hexadecimal or base64 */
            userHash?: string;
            userId: string;
        };
        DeviceTypeOverview: {
            deviceType: string | null;
            reachable: number;
            total: number;
        };
        /**
         * @example {
         *       "name": "Spring sale",
         *       "message": {
         *         "content": "Everything must go"
         *       },
         *       "revision": 1
         *     }
         */
        DraftChangesRequest: {
            /** @description the body of an unfinished send, or any data of its editor; at most 131072 bytes of JSON */
            message: {
                [key: string]: unknown;
            };
            name: string;
            /** @description the revision that this one was made from; if the draft has another one by now, the answer is 409 */
            revision: number;
        };
        /**
         * @example {
         *       "name": "Summer sale"
         *     }
         */
        DraftCopyRequest: {
            /** @description the name of the copy; absent: that of the draft with "(copy)" */
            name?: string;
        };
        /**
         * @example {
         *       "name": "Spring sale",
         *       "message": {
         *         "content": "Everything must",
         *         "target": {
         *           "deviceType": "android"
         *         }
         *       }
         *     }
         */
        DraftRequest: {
            /** @description the body of an unfinished send, or any data of its editor; at most 131072 bytes of JSON */
            message: {
                [key: string]: unknown;
            };
            name: string;
        };
        DraftResponse: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            /** @description what was saved, unchanged */
            message: {
                [key: string]: unknown;
            };
            name: string;
            /** @description rises with each save; the next save names the revision that it was made from */
            revision: number;
            /** Format: date-time */
            updatedAt: string;
            /** @description who saved it last: the name of an access token, or `operator` */
            updatedBy: string;
        };
        DraftsResponse: {
            drafts: components["schemas"]["DraftSummaryResponse"][];
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
        };
        DraftSummaryResponse: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            name: string;
            /** @description rises with each save; the next save names the revision that it was made from */
            revision: number;
            /** Format: date-time */
            updatedAt: string;
            /** @description who saved it last: the name of an access token, or `operator` */
            updatedBy: string;
        };
        EngagementAt: {
            /** @description devices by action; a device that took two actions counts twice */
            actions: number;
            /** Format: date-time */
            at: string;
            /** @description devices that chose an action or a link; each counts once */
            clicked: number;
            /** @description every click on a tracked link */
            clicks: number;
            conversions: number;
            /** @description devices that got it: they reported that it was delivered, shown, opened or dismissed */
            delivered: number;
            dismissed: number;
            /** @description devices by link */
            links: number;
            opened: number;
            shown: number;
        };
        EngagementTotals: {
            /** @description devices by action; a device that took two actions counts twice */
            actions: number;
            /** @description devices that chose an action or a link; each counts once */
            clicked: number;
            /** @description every click on a tracked link */
            clicks: number;
            conversions: number;
            /** @description devices that got it: they reported that it was delivered, shown, opened or dismissed */
            delivered: number;
            dismissed: number;
            /** @description devices by link */
            links: number;
            opened: number;
            shown: number;
        };
        ErasureResponse: {
            deliveries: number;
            devices: number;
            links: number;
            messages: number;
        };
        Error: {
            error: {
                /** @enum {string} */
                code?: "INVALID_REQUEST" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "REQUEST_TIMEOUT" | "CONFLICT" | "AUDIENCE_CHANGED" | "EDIT_CONFLICT" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "AUDIENCE_TOO_COSTLY" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "HEADERS_TOO_LARGE" | "INTERNAL" | "UNAVAILABLE";
                /** @description With the code AUDIENCE_CHANGED: the number of devices that the message would be sent to now */
                count?: number;
                /** @description With the code EDIT_CONFLICT: the version that someone else has saved in the meantime; null if it was deleted */
                current?: {
                    [key: string]: unknown;
                } | null;
                /** @description Every bad field, under the name that the caller gave it */
                details?: {
                    message: string;
                    path: string;
                }[];
                message: string;
                name: string;
                /**
                 * @description With the code UNAVAILABLE: the request may have been carried out. Absent: nothing was carried out
                 * @enum {string}
                 */
                outcome?: "unknown";
                /** @enum {integer} */
                status: 400 | 401 | 403 | 404 | 405 | 406 | 408 | 409 | 413 | 415 | 422 | 429 | 431 | 500 | 503;
            };
        };
        ExplainedDeviceResponse: {
            /** Format: uuid */
            installationId: string;
            /** @description true if a message to the group would be sent to it */
            isIn: boolean;
            /** @description true if it matches the rules */
            isMatch: boolean;
            /** @description true if it is on the channel */
            isMember: boolean;
            isReachable: boolean;
            reasons: string[];
            rules: components["schemas"]["RuleAnswerResponse"][];
            userId: string;
        };
        /**
         * @example {
         *       "target": {
         *         "deviceType": "android"
         *       },
         *       "segment": {
         *         "all": [
         *           {
         *             "name": "launchTime",
         *             "operator": "after",
         *             "value": "7d"
         *           }
         *         ]
         *       },
         *       "userId": "ada"
         *     }
         */
        ExplainGroupRequest: {
            /**
             * @description sport or public/sport; /private/alerts
             * @default public/default
             */
            channel?: string;
            /** @description the device that is explained too; not together with userId */
            installationId?: string;
            segment?: components["schemas"]["SegmentGroup"] | components["schemas"]["SavedSegmentReference"];
            /** @description the value of each field; an array means one of its values; nearBy has a circle, or [lat, lng, radius] */
            target?: {
                [key: string]: (string | number | boolean | (string | number | boolean)[]) | ({
                    lat: number | string;
                    lng: number | string;
                    radius: number | string;
                } | (number | string)[]);
            };
            /** @description the user whose devices are explained too */
            userId?: string;
        };
        FallbackRequest: {
            content: string;
            /**
             * @description seconds
             * @default 60
             */
            delay?: number;
            /**
             * @default sms
             * @enum {string}
             */
            media?: "sms";
            /** @enum {string} */
            policy?: "NOTIFICATION_SHOWN";
        };
        FallbackResponse: {
            attempt: number;
            /** Format: date-time */
            attemptedAt: string | null;
            /** Format: date-time */
            dueAt: string;
            /** Format: date-time */
            endedAt: string | null;
            error: string | null;
            /** @description only the last three digits are shown */
            phone: string | null;
            provider: string | null;
            providerMessageId: string | null;
            /** @description why it was not sent, or what it waits for, in words */
            reason: string | null;
            /** @description how often it was sent again although the provider may have accepted it */
            resent: number;
            /** Format: date-time */
            sentAt: string | null;
            /** @enum {string} */
            state: "waiting" | "sending" | "sent" | "delivered" | "undelivered" | "unknown" | "confirmed" | "failed" | "no_phone" | "expired" | "cancelled";
            /** Format: date-time */
            updatedAt: string;
            userId: string;
        };
        FallbacksResponse: {
            fallbacks: components["schemas"]["FallbackResponse"][];
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
        };
        FcmCredentialsRequest: {
            /**
             * Format: uri
             * @default https://fcm.googleapis.com
             */
            endpoint?: string;
            serviceAccount: components["schemas"]["ServiceAccountRequest"];
        };
        FirstStepsOverview: {
            hasDevice: boolean;
            hasMessage: boolean;
            hasVendor: boolean;
        };
        FirstTokensResponse: {
            client: string;
            server: string;
        };
        FrequencyCapRequest: {
            messages: number;
            seconds: number;
        };
        FrequencyCapResponse: {
            messages: number;
            seconds: number;
        };
        GetCampaignAnswer: components["schemas"]["MessageResponse"] | components["schemas"]["PlannedCampaignResponse"];
        /**
         * @example {
         *       "target": {
         *         "deviceType": "android"
         *       },
         *       "segment": {
         *         "all": [
         *           {
         *             "name": "launchTime",
         *             "operator": "after",
         *             "value": "7d"
         *           }
         *         ]
         *       },
         *       "channel": "sport"
         *     }
         */
        GroupRequest: {
            /**
             * @description sport or public/sport; /private/alerts
             * @default public/default
             */
            channel?: string;
            segment?: components["schemas"]["SegmentGroup"] | components["schemas"]["SavedSegmentReference"];
            /** @description the value of each field; an array means one of its values; nearBy has a circle, or [lat, lng, radius] */
            target?: {
                [key: string]: (string | number | boolean | (string | number | boolean)[]) | ({
                    lat: number | string;
                    lng: number | string;
                    radius: number | string;
                } | (number | string)[]);
            };
        };
        HmsCredentialsRequest: {
            appId: string;
            clientSecret: string;
            /**
             * Format: uri
             * @default https://push-api.cloud.huawei.com
             */
            endpoint?: string;
            /**
             * Format: uri
             * @default https://oauth-login.cloud.huawei.com
             */
            tokenEndpoint?: string;
        };
        HoldoutResponse: {
            percent: number;
            users: number;
            usersConverted: components["schemas"]["ShareResponse"];
            /** @description says if the difference to the others is more than chance */
            verdict: string;
        };
        HttpSmsCredentialsRequest: {
            /** @description a Liquid template over `to`, `text` and `id` */
            body: string;
            /** @description PEM of the only trusted certificate authority, for your own endpoint */
            ca?: string;
            /**
             * Format: uri
             * @description the address, with its query
             */
            endpoint: string;
            headers?: {
                [key: string]: string;
            };
            /** @description the path of the provider's id in the answer */
            idPath?: string;
            /**
             * @default POST
             * @enum {string}
             */
            method?: "POST" | "PUT" | "PATCH" | "GET";
            /**
             * @description what happens to an SMS when it is unknown if the provider accepted it: it is not sent again (`leave`, the default) or sent again (`resend`)
             * @enum {string}
             */
            onUnknown?: "leave" | "resend";
            /** @enum {string} */
            provider: "http";
            /** @description the secret that proves the provider's reports; generated when it is left out */
            statusSecret?: string;
            /** @description the statuses that mean the SMS was accepted; the default is every 2xx */
            successStatus?: number | number[];
        };
        IdentityKeyResponse: {
            /**
             * Format: date-time
             * @description until then, a userHash that is made with the former key is accepted too; null: it is not accepted any more, or cannot be read
             */
            formerValidUntil: string | null;
            id: string;
            /** @description shown only once */
            identityKey: string;
        };
        ImportErrorResponse: {
            /** @description the element of a JSON document, from 0 */
            index?: number;
            /** @description the first line of the record; the header is line 1 */
            line?: number;
            message: string;
        };
        ImportResponse: {
            bytes: number;
            bytesWorked: number;
            /** @description devices that are new */
            created: number;
            /** @description the first hundred */
            errors: components["schemas"]["ImportErrorResponse"][];
            /** @description records that are wrong; they are left out */
            failed: number;
            /** Format: date-time */
            finishedAt: string | null;
            /** @enum {string} */
            format: "onesignal" | "parse" | "sns" | "pinpoint" | "webpush" | "tokens" | "mapping";
            /** @description records that are imported without a wrong value */
            incomplete: number;
            /** Format: uuid */
            jobId: string;
            /** @description read so far; elements of a JSON document */
            lines: number;
            /** @description columns that the mapping names, and that no record so far has */
            missingColumns: string[];
            /** @description the name of the file, if the upload said it */
            name: string | null;
            /** @description why it failed */
            reason: string | null;
            /** @description records that push cannot reach: without a token, of e-mail, SMS or other push services */
            skipped: number;
            /** Format: date-time */
            startedAt: string;
            /** @enum {string} */
            status: "uploading" | "working" | "done" | "failed";
            unchanged: number;
            /** @description columns of CSV that are not read: the format does not have them, and no mapping names them */
            unreadColumns: string[];
            /** @description devices that changed, themselves or in the data of their users */
            updated: number;
            /** @description null: it was not asked for */
            validation: components["schemas"]["ImportValidationResponse"] | null;
        };
        ImportsResponse: {
            imports: components["schemas"]["ImportSummaryResponse"][];
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
        };
        ImportSummaryResponse: {
            bytes: number;
            bytesWorked: number;
            /** @description devices that are new */
            created: number;
            /** @description records that are wrong; they are left out */
            failed: number;
            /** Format: date-time */
            finishedAt: string | null;
            /** @enum {string} */
            format: "onesignal" | "parse" | "sns" | "pinpoint" | "webpush" | "tokens" | "mapping";
            /** @description records that are imported without a wrong value */
            incomplete: number;
            /** Format: uuid */
            jobId: string;
            /** @description read so far; elements of a JSON document */
            lines: number;
            /** @description columns that the mapping names, and that no record so far has */
            missingColumns: string[];
            /** @description the name of the file, if the upload said it */
            name: string | null;
            /** @description why it failed */
            reason: string | null;
            /** @description records that push cannot reach: without a token, of e-mail, SMS or other push services */
            skipped: number;
            /** Format: date-time */
            startedAt: string;
            /** @enum {string} */
            status: "uploading" | "working" | "done" | "failed";
            unchanged: number;
            /** @description columns of CSV that are not read: the format does not have them, and no mapping names them */
            unreadColumns: string[];
            /** @description devices that changed, themselves or in the data of their users */
            updated: number;
            /** @description null: it was not asked for */
            validation: components["schemas"]["ImportValidationResponse"] | null;
        };
        ImportValidationResponse: {
            /** @description records whose token FCM refused; they are not imported, and counted in `failed` */
            invalid: number;
            /** @description why there was no answer, the last time */
            lastError: string | null;
            /** @description records that were imported although FCM gave no answer about their token */
            unanswered: number;
            /** @description records whose token FCM accepts */
            valid: number;
        };
        InboxMessageResponse: {
            content?: string;
            /** @description milliseconds since 1970 */
            createdAt?: number;
            /** @description milliseconds since 1970 */
            expireAt?: number;
            /** Format: uuid */
            id: string;
            notification?: components["schemas"]["InboxNotificationResponse"];
            read: boolean;
            /** Format: date-time */
            readAt: string | null;
            /** @enum {string} */
            state: "pending" | "sent" | "delivered" | "shown" | "dismissed" | "opened" | "failed" | "expired" | "skipped" | "cancelled";
        } & {
            [key: string]: unknown;
        };
        InboxNotificationResponse: {
            actions?: components["schemas"]["NotificationActionResponse"][];
            body?: string;
            category?: string;
            clickUrl?: string;
            contentAvailable?: boolean;
            /** @description fields that the API does not define; the device receives them unchanged */
            extra?: {
                [key: string]: unknown;
            };
            groupId?: string;
            icon?: string;
            ledColor?: string;
            mediaType?: string;
            mediaUrl?: string;
            mutableContent?: boolean;
            /** @description true: the device is asked to report that it has shown the notification */
            notifDelivery: boolean;
            smallIcon?: string;
            sound?: string;
            title?: string;
        };
        InboxResponse: {
            messages: components["schemas"]["InboxMessageResponse"][];
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
            /** @description unread messages of the whole inbox */
            unread: number;
        };
        /**
         * @example {
         *       "installationId": "01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d",
         *       "attributes": [
         *         {
         *           "attribute": "points",
         *           "value": 5
         *         }
         *       ]
         *     }
         */
        IncrementRequest: {
            attributes: components["schemas"]["AttributeIncrement"][];
            installationId: string;
            /** @description HMAC-SHA256 of the user's id under the application's identity key, in hexadecimal or base64 */
            userHash?: string;
        };
        InstallationResponse: {
            appId: string;
            clientVersion: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description a link that was clicked before the app was installed, in the answer to the first registration */
            deferredDeepLink?: string;
            deviceToken: string | null;
            deviceType: string | null;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            installDate: string;
            launchCount: number;
            /** Format: date-time */
            launchTime: string;
            locale: string | null;
            location?: {
                lat: number;
                lng: number;
            } | null;
            osVersion: string | null;
            protected: boolean;
            pushType: string | null;
            realtime: boolean;
            /** @description memberships of channels other than the default ones, as public/<name> or private/<name> */
            subscriptions: string[];
            tags: string[];
            timeZone: string | null;
            tokenStatus: string | null;
            /** Format: date-time */
            updatedAt: string;
            userId: string;
            /** @description the user's attributes */
            userInfo?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        KavenegarCredentialsRequest: {
            apiKey: string;
            /** @description PEM of the only trusted certificate authority, for your own endpoint */
            ca?: string;
            /**
             * Format: uri
             * @default https://api.kavenegar.com
             */
            endpoint?: string;
            /**
             * @description what happens to an SMS when it is unknown if the provider accepted it: it is not sent again (`leave`, the default) or sent again (`resend`)
             * @enum {string}
             */
            onUnknown?: "leave" | "resend";
            /** @enum {string} */
            provider: "kavenegar";
            sender: string;
            /** @description the secret that proves the provider's reports; generated when it is left out */
            statusSecret?: string;
        };
        /** @description type 3: an opened link */
        LinkEventRequest: {
            /**
             * Format: date-time
             * @description when it happened; the default is the `createdAt` of the request; ISO 8601, or milliseconds since 1970
             */
            actionTs?: string | number;
            link: string;
            /** @description the id of the message; or send `trackId` alone for the latest message of that campaign */
            msgId?: string;
            trackId?: string;
            /** @enum {integer} */
            type: 3;
        };
        LinkTotal: {
            clicks: number;
            devices: number;
            link: string;
        };
        ListApplicationsAnswer: components["schemas"]["ApplicationResponse"][];
        ListedUserResponse: {
            /** Format: date-time */
            createdAt: string;
            devices: number;
            tags: string[];
            /** @description the values of key/value tags */
            tagValues: {
                [key: string]: string;
            };
            userId: string;
        };
        ListInstallationsAnswer: components["schemas"]["InstallationResponse"][];
        ListTagsAnswer: string[];
        ListTokensAnswer: components["schemas"]["TokenResponse"][];
        ListVendorsAnswer: components["schemas"]["VendorResponse"][];
        /** @description the differences in this language; the rest is the default */
        LocalizedContentRequest: {
            alertText?: string;
            content?: string;
            fallback?: components["schemas"]["LocalizedFallbackRequest"];
            notification?: components["schemas"]["LocalizedNotificationRequest"];
        };
        LocalizedContentResponse: {
            alertText?: string;
            content?: string;
            fallback?: components["schemas"]["LocalizedFallbackResponse"];
            notification?: components["schemas"]["NotificationResponse"];
        };
        LocalizedFallbackRequest: {
            content: string;
        };
        LocalizedFallbackResponse: {
            content: string;
        };
        /** @description fields that replace those of the default notification, one by one */
        LocalizedNotificationRequest: {
            actions?: components["schemas"]["ActionRequest"][];
            /** @description for browsers a link of any scheme but javascript:, data:, vbscript:, file:; else any JSON */
            badge?: string | number | boolean | {
                [key: string]: unknown;
            } | unknown[];
            body?: string;
            category?: string;
            /** @description any scheme but javascript:, data:, vbscript:, file: */
            clickUrl?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            contentAvailable?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            groupId?: string;
            /** @description any scheme but javascript:, data:, vbscript:, file: */
            icon?: string;
            /** @description for browsers a link of any scheme but javascript:, data:, vbscript:, file:; else any JSON */
            image?: string | number | boolean | {
                [key: string]: unknown;
            } | unknown[];
            ledColor?: string;
            mediaType?: string;
            /** @description any scheme but javascript:, data:, vbscript:, file: */
            mediaUrl?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            mutableContent?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description any scheme but javascript:, data:, vbscript:, file: */
            smallIcon?: string;
            sound?: string;
            title?: string;
        } & {
            [key: string]: unknown;
        };
        LocationRequest: {
            lat: number;
            lng: number;
        };
        /**
         * @description the fields to change; null removes a field; `notification`, `fallback`, `localized`, `variants` and `winner` are replaced as a whole
         * @example {
         *       "sendAt": "2026-12-01T09:00:00+01:00",
         *       "content": "We open an hour later"
         *     }
         */
        MessageChangesRequest: {
            alertText?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            autoNotify?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            content?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            countsTowardsCap?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description any JSON */
            data?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean;
            fallback?: components["schemas"]["FallbackRequest"];
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            ignoreFrequencyCap?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            ignoreQuietHours?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            isTest?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /**
             * @description the message in other languages, by language tag (BCP 47); tags must differ by more than case
             * @example {
             *       "fa": {
             *         "content": "سلام"
             *       }
             *     }
             */
            localized?: {
                [key: string]: components["schemas"]["LocalizedContentRequest"];
            };
            notification?: components["schemas"]["NotificationRequest"];
            /** @description devices per second */
            rate?: number;
            /**
             * @description when to send, ISO 8601, up to 90 days ahead; without an offset when localTime is set
             * @example 2026-11-22T09:00:00+01:00
             * @example 2026-11-22T09:00:00
             */
            sendAt?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            silent?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            trackLinks?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description seconds */
            ttl?: number;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            useAsAlert?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description values that texts read as `variables.<name>`; at most 16384 bytes of JSON */
            variables?: {
                [key: string]: unknown;
            };
            /** @description what different parts of the users get; campaigns only */
            variants?: components["schemas"]["VariantRequest"][];
            winner?: components["schemas"]["WinnerRequest"];
        } & {
            [key: string]: unknown;
        };
        MessageContentResponse: {
            alertText?: string;
            autoNotify: boolean;
            clientId?: string;
            content?: string;
            /** @description true if a message to named users counts for the frequency caps */
            countsTowardsCap?: boolean;
            data?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean;
            /** @description fields that the API does not define; the device receives them unchanged */
            extra?: {
                [key: string]: unknown;
            };
            fallback?: components["schemas"]["MessageFallbackResponse"];
            /** @description the percentage of users who get nothing */
            holdout?: number;
            /** @description true if it ignores the frequency caps */
            ignoreFrequencyCap?: boolean;
            inApp: boolean;
            /** @description true for a test: it takes no promo codes */
            isTest?: boolean;
            /** @description the base address of those links, when it comes from the address of the send */
            linkBase?: string;
            live: boolean;
            /** @description the differences in other languages, by language tag */
            localized?: {
                [key: string]: components["schemas"]["LocalizedContentResponse"];
            };
            notification?: components["schemas"]["NotificationResponse"];
            silent: boolean;
            /**
             * Format: uuid
             * @description the template that the content comes from
             */
            templateId?: string;
            /** @description the version of the template */
            templateVersion?: number;
            trackId?: string;
            /** @description true if web links lead through the tracker */
            trackLinks?: boolean;
            useAsAlert: boolean;
            /** @description values that the texts read as `variables.<name>` */
            variables?: {
                [key: string]: unknown;
            };
            variants?: components["schemas"]["VariantResponse"][];
            winner?: components["schemas"]["WinnerRuleResponse"];
        };
        MessageDeviceResponse: {
            /** @description null when the message was not meant for this device */
            delivery: components["schemas"]["DeliveryResponse"] | null;
            /** @description the fallback SMS to the device's user; null when the message has no fallback */
            fallback: components["schemas"]["FallbackResponse"] | null;
            /** @description the device in its current state, with its token shortened */
            installation: components["schemas"]["InstallationResponse"];
            /** @description why the message was not sent to this device, in words */
            reason: string | null;
        };
        MessageDevicesResponse: {
            devices: components["schemas"]["MessageDeviceResponse"][];
        };
        MessageFallbackResponse: {
            content: string;
            delaySeconds: number;
            /** @enum {string} */
            media: "sms";
            /** @enum {string} */
            policy?: "NOTIFICATION_SHOWN";
        };
        MessageResponse: {
            /** Format: date-time */
            acceptedAt: string;
            batchId: string | null;
            /** @description the totals of each vendor */
            byVendor: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            /** Format: date-time */
            cancelledAt: string | null;
            channel: string;
            clientId: string | null;
            /** @description the content, as requested */
            content: components["schemas"]["MessageContentResponse"];
            /** @description the number of devices the message is sent to, as computed when it was accepted */
            count: number;
            /** Format: date-time */
            doneAt: string | null;
            /** @description deliveries with an error, by its code; rare codes of a message that has more than 200 are counted as other */
            errors: {
                [key: string]: number;
            };
            /** Format: date-time */
            expiresAt: string;
            /** @description fallback SMS by state, one for each user; empty when the message has no fallback */
            fallback: {
                cancelled?: number;
                confirmed?: number;
                delivered?: number;
                expired?: number;
                failed?: number;
                no_phone?: number;
                sending?: number;
                sent?: number;
                undelivered?: number;
                unknown?: number;
                waiting?: number;
            };
            /** Format: uuid */
            id: string;
            ignoreQuietHours: boolean;
            /** @enum {string} */
            kind: "users" | "query" | "notify";
            localTime: boolean;
            /** @description devices per second, as requested */
            rate: number | null;
            /** @description devices that the audience resolved to, skipped devices included; the sum of the totals */
            recipients: number;
            /** @description how often the message was changed before it left */
            revision: number;
            segment?: components["schemas"]["SegmentGroup"] | components["schemas"]["SavedSegmentReference"];
            /** @description as requested: ISO 8601, without an offset when localTime is set */
            sendAt: string | null;
            /** @description skipped devices, by the reason */
            skipped: {
                [key: string]: number;
            };
            /** @description the skipped devices of each vendor, by the reason */
            skippedByVendor: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            /**
             * Format: date-time
             * @description when it leaves or left; with localTime in the first time zone
             */
            startsAt: string;
            /** @enum {string} */
            status: "accepted" | "sending" | "done" | "cancelled";
            /** @description the value of each field; an array means one of its values; nearBy has a circle, or [lat, lng, radius] */
            target?: {
                [key: string]: (string | number | boolean | (string | number | boolean)[]) | ({
                    lat: number | string;
                    lng: number | string;
                    radius: number | string;
                } | (number | string)[]);
            };
            /** @description for a campaign with variants or a holdout: the results of each part of its users */
            test?: components["schemas"]["CampaignTestResponse"];
            /** @description deliveries by their current state */
            totals: {
                cancelled: number;
                delivered: number;
                dismissed: number;
                expired: number;
                failed: number;
                opened: number;
                pending: number;
                sent: number;
                shown: number;
                skipped: number;
            };
            trackId: string | null;
            /** @description the users it was sent to by name */
            users: string[] | null;
        };
        MessagesResponse: {
            messages: components["schemas"]["MessageSummaryResponse"][];
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
        };
        MessageSummaryResponse: {
            /** Format: date-time */
            acceptedAt: string;
            batchId: string | null;
            /** Format: date-time */
            cancelledAt: string | null;
            channel: string;
            clientId: string | null;
            /** @description the content, as requested */
            content: components["schemas"]["MessageContentResponse"];
            /** @description the number of devices the message is sent to, as computed when it was accepted */
            count: number;
            /** Format: date-time */
            doneAt: string | null;
            /** Format: date-time */
            expiresAt: string;
            /** Format: uuid */
            id: string;
            ignoreQuietHours: boolean;
            /** @enum {string} */
            kind: "users" | "query" | "notify";
            localTime: boolean;
            /** @description devices per second, as requested */
            rate: number | null;
            /** @description as requested: ISO 8601, without an offset when localTime is set */
            sendAt: string | null;
            /**
             * Format: date-time
             * @description when it leaves or left; with localTime in the first time zone
             */
            startsAt: string;
            /** @enum {string} */
            status: "accepted" | "sending" | "done" | "cancelled";
            trackId: string | null;
        };
        NewApplicationRequest: {
            /**
             * @description Whose tags a token of the scope `devices` may edit: those of the device's own user, of any user, or of no user
             * @default own
             * @enum {string}
             */
            clientTags?: "own" | "any" | "none";
            /** @default 24 */
            conversionWindowHours?: number;
            /** @default You have a new message */
            defaultAlertText?: string;
            defaultRegion?: string | null;
            /** @description the time zone of devices that report none; UTC when null */
            defaultTimeZone?: string | null;
            /** @default 60 */
            deferredLinkMinutes?: number;
            /** @description for all sends together */
            devicesPerSecond?: number | null;
            /** @description The most campaigns that a user gets within any period of that many seconds; empty: no limit */
            frequencyCaps?: components["schemas"]["FrequencyCapRequest"][] | null;
            id: string;
            /** @description Hosts that tracker links may lead to (shop.example, *.shop.example); without any: the hosts that trackers name */
            linkHosts?: string[] | null;
            /** @description URL schemes of apps that tracker links may open; without any: every scheme that is not dangerous */
            linkSchemes?: string[] | null;
            /**
             * @description Match deferred links by network address and user agent too; 1, 0, "true", "false", "1" and "0" are accepted too
             * @default false
             */
            matchByAddress?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            name: string;
            /**
             * @default send_without
             * @enum {string}
             */
            promoExhausted?: "send_without" | "skip";
            /**
             * @description Attributes that a device can set only with a correct userHash
             * @default [
             *       "phone"
             *     ]
             */
            protectedAttributes?: string[];
            /**
             * @example {
             *       "start": "22:00",
             *       "end": "08:00"
             *     }
             */
            quietHours?: components["schemas"]["QuietHoursRequest"] | null;
            requestsPerSecond?: number | null;
            /**
             * @description Devices must prove their user with userHash; a device that has not done so receives nothing; 1, 0, "true", "false", "1" and "0" are accepted too
             * @default false
             */
            requireUserHash?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
        };
        NewApplicationResponse: {
            id: string;
            /** @description shown only once */
            identityKey: string;
            name: string;
            /** @description shown only once */
            tokens: components["schemas"]["FirstTokensResponse"];
        };
        /**
         * @example {
         *       "trackId": "spring-2026",
         *       "name": "Spring sale"
         *     }
         */
        NewCampaignRequest: {
            name?: string;
            trackId: string;
        };
        NewIdentityKeyRequest: {
            /**
             * @description how long the former key stays valid beside the new one, in seconds; 0: no longer from now on
             * @default 86400
             */
            formerValidSeconds?: number;
            /** @description a key that your backend has already; generated when it is left out */
            identityKey?: string;
        };
        NewSecretRequest: {
            /** @description `whsec_` and 24 to 64 bytes in base64; generated when it is left out */
            secret?: string;
        };
        NewTokenRequest: {
            name: string;
            scopes: ("send" | "tags" | "promo" | "devices" | "read" | "server")[];
        };
        NewTokenResponse: {
            /** Format: uuid */
            id: string;
            /** @description shown only once */
            token: string;
        };
        /**
         * @example {
         *       "name": "Autumn sale",
         *       "deepLink": "shop://sale",
         *       "destination": "https://shop.example/sale",
         *       "platforms": {
         *         "ios": "https://apps.apple.com/app/id1",
         *         "android": "https://play.google.com/store/apps/details?id=shop"
         *       },
         *       "allowedHosts": [
         *         "*.shop.example"
         *       ]
         *     }
         */
        NewTrackerRequest: {
            allowedHosts?: string[] | null;
            /** @description the default for `deep_link` in a click */
            deepLink?: string | null;
            /** @description the page to open if no other one is set */
            destination?: string | null;
            name: string;
            /** @description the pages of the app stores, by platform; `{click_token}` in a link becomes the token of the click */
            platforms?: components["schemas"]["TrackerPlatforms"] | null;
            /** @description the default for the parameter `redirect` in a click */
            redirect?: string | null;
        };
        NewWebhookRequest: {
            events: ("message.done" | "delivery.failed" | "token.removed" | "fallback.sent" | "promo.low_stock" | "vendor.credentials_failing" | "vendor.breaker_opened" | "tokens.quarantined")[];
            /**
             * @description 1, 0, "true", "false", "1" and "0" are accepted too
             * @default true
             */
            isEnabled?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description `whsec_` and 24 to 64 bytes in base64; generated when it is left out */
            secret?: string;
            /** Format: uri */
            url: string;
        };
        NotificationActionResponse: {
            /** @description fields that the API does not define; the device receives them unchanged */
            extra?: {
                [key: string]: unknown;
            };
            icon?: string;
            id?: string;
            /** @description 1 authentication, 2 destructive, 4 foreground, or a sum of them; iOS */
            options?: number;
            title?: string;
            url?: string;
        };
        /** @description what the device shows; unknown fields reach the device under `extra`; `title` is required, except with `contentAvailable` and without title and body */
        NotificationRequest: {
            actions?: components["schemas"]["ActionRequest"][];
            /** @description for browsers a link of any scheme but javascript:, data:, vbscript:, file:; else any JSON */
            badge?: string | number | boolean | {
                [key: string]: unknown;
            } | unknown[];
            body?: string;
            category?: string;
            /** @description any scheme but javascript:, data:, vbscript:, file: */
            clickUrl?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            contentAvailable?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            groupId?: string;
            /** @description any scheme but javascript:, data:, vbscript:, file: */
            icon?: string;
            /** @description for browsers a link of any scheme but javascript:, data:, vbscript:, file:; else any JSON */
            image?: string | number | boolean | {
                [key: string]: unknown;
            } | unknown[];
            ledColor?: string;
            mediaType?: string;
            /** @description any scheme but javascript:, data:, vbscript:, file: */
            mediaUrl?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            mutableContent?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description any scheme but javascript:, data:, vbscript:, file: */
            smallIcon?: string;
            sound?: string;
            title?: string;
        } & {
            [key: string]: unknown;
        };
        NotificationResponse: {
            actions?: components["schemas"]["NotificationActionResponse"][];
            body?: string;
            category?: string;
            clickUrl?: string;
            contentAvailable?: boolean;
            /** @description fields that the API does not define; the device receives them unchanged */
            extra?: {
                [key: string]: unknown;
            };
            groupId?: string;
            icon?: string;
            ledColor?: string;
            mediaType?: string;
            mediaUrl?: string;
            mutableContent?: boolean;
            smallIcon?: string;
            sound?: string;
            title?: string;
        };
        NotifyUsersBody: components["schemas"]["SendToUserRequest"] | components["schemas"]["SendToUsersRequest"] | components["schemas"]["SendToUserRequest"][] | components["schemas"]["SendToGroupRequest"];
        OnlineOverview: {
            /**
             * Format: date-time
             * @description when they were counted
             */
            asOf: string;
            devices: number;
        };
        OpenedLinkResponse: {
            link: string;
            /** Format: date-time */
            openedAt: string;
        };
        OptedOutNumberResponse: {
            /** @description the code of the provider */
            code: string;
            /** @description HMAC-SHA-256 of the number in hexadecimal; the number itself is not stored */
            digest: string;
            /** Format: date-time */
            optedOutAt: string;
            provider: string;
        };
        OptedOutNumbersResponse: {
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
            numbers: components["schemas"]["OptedOutNumberResponse"][];
        };
        OverviewResponse: {
            /** Format: date-time */
            at: string;
            attention: components["schemas"]["AttentionResponse"][];
            /** @description counted at most once a minute; null while they are counted for the first time */
            devices: components["schemas"]["DevicesOverview"] | null;
            /** @description null while they are counted for the first time */
            online: components["schemas"]["OnlineOverview"] | null;
            /** @description at most 15 seconds old; null while it is counted for the first time */
            sends: components["schemas"]["SendsOverview"] | null;
            /** @description at most a minute old; null while they are counted for the first time */
            skips: components["schemas"]["SkipsOverview"] | null;
            steps: components["schemas"]["FirstStepsOverview"];
            throughput: components["schemas"]["ThroughputOverview"];
        };
        PlannedCampaignResponse: {
            count: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            name: string | null;
            /** @enum {string} */
            status: "accepted";
            trackId: string;
        };
        PresenceResponse: {
            /**
             * Format: date-time
             * @description when it connected; null when it is not connected
             */
            connectedAt: string | null;
            /** Format: uuid */
            installationId: string;
            /**
             * Format: date-time
             * @description when it last connected or disconnected; null when it never did
             */
            lastSeenAt: string | null;
            /** @description true if the device has an open connection now */
            online: boolean;
        };
        PreviewProblemResponse: {
            code: string;
            message: string;
        };
        PreviewRequest: {
            alertText?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            autoNotify?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /**
             * @description sport or public/sport; /private/alerts
             * @default public/default
             */
            channel?: string;
            clientId?: string;
            /** @description required, except without alertText and with a notification that has only `contentAvailable` (it wakes the app up), or where every variant has it */
            content?: string;
            /** @description for a message to named users: true if it counts for the frequency caps and obeys them, like a campaign; 1, 0, "true", "false", "1" and "0" are accepted too */
            countsTowardsCap?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description any JSON */
            data?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean;
            /** @description the draft that this message was made from: it is removed when the message is accepted */
            draftId?: string;
            /** @description the revision of the draft that this message was made from; with another one nothing is sent */
            draftRevision?: number;
            /** @description how many devices the sender expects; with another count nothing is sent */
            expectedCount?: number;
            /** @description the allowed difference, as a share of expectedCount; the default is 0.02 */
            expectedCountTolerance?: number;
            fallback?: components["schemas"]["FallbackRequest"];
            /** @description the percentage of users who get nothing, to compare the others with; campaigns only */
            holdout?: number;
            /** @description true to send it also to users who have had as many campaigns as the frequency caps allow; it still counts; 1, 0, "true", "false", "1" and "0" are accepted too */
            ignoreFrequencyCap?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description true to send during the quiet hours of the application; 1, 0, "true", "false", "1" and "0" are accepted too */
            ignoreQuietHours?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            inApp?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description a test send: shows a sample in place of promo codes, and takes no code; 1, 0, "true", "false", "1" and "0" are accepted too */
            isTest?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description the language to show on every device: a tag of `localized`, of the message or of the shown variant, in any case, or "default"; absent: the one that each would get */
            language?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            live?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /**
             * @description the message in other languages, by language tag (BCP 47); tags must differ by more than case
             * @example {
             *       "fa": {
             *         "content": "سلام"
             *       }
             *     }
             */
            localized?: {
                [key: string]: components["schemas"]["LocalizedContentRequest"];
            };
            /** @description true if sendAt is in the local time of each device; campaigns only; 1, 0, "true", "false", "1" and "0" are accepted too */
            localTime?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            notification?: components["schemas"]["NotificationRequest"];
            /** @description devices per second */
            rate?: number;
            /** @description accepted so that the body of a send can be previewed unchanged */
            segment?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean;
            /**
             * @description when to send, ISO 8601, up to 90 days ahead; without an offset when localTime is set
             * @example 2026-11-22T09:00:00+01:00
             * @example 2026-11-22T09:00:00
             */
            sendAt?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            silent?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description accepted so that the body of a send can be previewed unchanged */
            target?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean;
            /** @description the template whose content the message has; fields of the send go before those of the template */
            templateId?: string;
            /** @description a version of the template; absent: the newest one */
            templateVersion?: number;
            trackId?: string;
            /** @description true to count clicks on web links (clickUrl, actions); 1, 0, "true", "false", "1" and "0" are accepted too */
            trackLinks?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /**
             * @description seconds
             * @default 2419200
             */
            ttl?: number;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            useAsAlert?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description one user, instead of `users` */
            user?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean;
            users?: string[];
            /** @description values that texts read as `variables.<name>`; at most 16384 bytes of JSON */
            variables?: {
                [key: string]: unknown;
            };
            /** @description the name of the variant to show; absent: the first */
            variant?: string;
            /** @description what different parts of the users get; campaigns only */
            variants?: components["schemas"]["VariantRequest"][];
            /** @description sends the best of the variants to the users who got none yet; campaigns only */
            winner?: components["schemas"]["WinnerRequest"];
        } & {
            [key: string]: unknown;
        };
        PreviewResponse: {
            users: components["schemas"]["UserPreviewResponse"][];
            /** @description names in texts that never have a value, variables that a text shows and that nothing gives, variables of the request that no text reads, and a fallback whose delay is not less than ttl; if there are any */
            warnings?: components["schemas"]["TextWarningResponse"][];
        };
        PromoAssignmentResponse: {
            /** Format: date-time */
            claimedAt: string;
            code: string;
            /** Format: uuid */
            messageId: string;
            userId: string;
        };
        PromoAssignmentsResponse: {
            assignments: components["schemas"]["PromoAssignmentResponse"][];
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
        };
        PromoFileRequest: {
            /**
             * Format: binary
             * @description UTF-8, one code a line, LF or CRLF
             */
            file: string;
        };
        PromoJobResponse: {
            /** @description size of the file so far */
            bytes: number;
            /** @description the bytes imported so far */
            bytesImported: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
            /** Format: uuid */
            jobId: string;
            /** @description the `promoSetId` of the answer to the upload; the id of the application for the global set */
            promoSetId: string;
            /** @description why it failed; begins with `line 3:` when line 3 is the reason */
            reason: string | null;
            /** @description the lines imported so far */
            rows: number;
            /** @enum {string} */
            status: "uploading" | "importing" | "done" | "failed";
            /** @description the number of different codes in the set; null until it is in force */
            totalRows: number | null;
            /** @description null for the global set */
            trackId: string | null;
        };
        /**
         * @example {
         *       "lowStockAt": 500
         *     }
         */
        PromoSetChangeRequest: {
            /** @description the event promo.low_stock is sent when this number of codes or fewer remain; null: no event */
            lowStockAt: number | null;
        };
        PromoSetResponse: {
            /** @description codes assigned from this set */
            assigned: number;
            /** Format: date-time */
            createdAt: string;
            /** @description codes that an earlier set of this campaign already assigned; they are not assigned again */
            givenBefore: number;
            /**
             * Format: uuid
             * @description the id of this upload
             */
            id: string;
            inForce: boolean;
            /** Format: date-time */
            inForceAt: string | null;
            isLow: boolean;
            /** @description the number of remaining codes at which the set counts as low */
            lowStockAt: number | null;
            /** @description the `promoSetId` of the answer to the upload; the id of the application for the global set */
            promoSetId: string;
            /** @description codes that are not assigned; those of a replaced set are never assigned */
            remaining: number;
            /** Format: date-time */
            replacedAt: string | null;
            /** @description codes in the set */
            total: number;
            /** @description null for the global set */
            trackId: string | null;
        };
        PromoSetsResponse: {
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
            sets: components["schemas"]["PromoSetResponse"][];
        };
        PromoUploadResponse: {
            /** @description a UUID, or the id of the application for the global set */
            promoSetId: string;
            /** @description codes in the new set */
            totalRows: number;
        };
        QuarantineResponse: {
            count: number;
            /** @description the usual share of dead tokens */
            normalShare: number | null;
            /** @description a sample of the installations */
            sample: string[];
            /** @description the share of dead tokens in the answers that started the quarantine */
            share: number | null;
            /** Format: date-time */
            since: string | null;
        };
        QuietHoursRequest: {
            /**
             * @default campaigns
             * @enum {string}
             */
            applies?: "campaigns" | "all";
            end: string;
            start: string;
            /**
             * @description `device`, or one time zone (IANA) for all devices
             * @default device
             */
            timeZone?: string;
        };
        QuietHoursResponse: {
            /** @enum {string} */
            applies: "campaigns" | "all";
            end: string;
            start: string;
            /** @description `device`, or one time zone (IANA) for all devices */
            timeZone: string;
        };
        ReachableDeviceResponse: {
            appId: string;
            /** @description the attributes of this device alone */
            attributes: {
                [key: string]: unknown;
            };
            clientVersion: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description a link that was clicked before the app was installed, in the answer to the first registration */
            deferredDeepLink?: string;
            deviceToken: string | null;
            deviceType: string | null;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            installDate: string;
            launchCount: number;
            /** Format: date-time */
            launchTime: string;
            locale: string | null;
            location?: {
                lat: number;
                lng: number;
            } | null;
            osVersion: string | null;
            protected: boolean;
            pushType: string | null;
            /**
             * @description how a message that is sent now would reach it; null: not at all
             * @enum {string|null}
             */
            reachedBy: "fcm" | "apns" | "hms" | "webpush" | "connection" | null;
            realtime: boolean;
            /** @description memberships of channels other than the default ones, as public/<name> or private/<name> */
            subscriptions: string[];
            tags: string[];
            timeZone: string | null;
            tokenStatus: string | null;
            /** @description why nothing reaches it, in a word */
            unreachableReason: string | null;
            /** Format: date-time */
            updatedAt: string;
            userId: string;
            /** @description the user's attributes */
            userInfo?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description type 1: a receipt */
        ReceiptEventRequest: {
            /** @description the action, for ACTION_TAKEN */
            actionId?: string;
            /**
             * Format: date-time
             * @description when it happened; the default is the `createdAt` of the request; ISO 8601, or milliseconds since 1970
             */
            actionTs?: string | number;
            /** @enum {string} */
            actionType: "DELIVERED" | "SHOWN" | "DISMISSED" | "OPENED" | "ACTION_TAKEN";
            /** @description the id of the message; or send `trackId` alone for the latest message of that campaign */
            msgId?: string;
            trackId?: string;
            /** @enum {integer} */
            type: 1;
        };
        RefusedTagLineResponse: {
            line: number;
            message: string;
        };
        /**
         * @description The full state of the installation. Unknown fields are kept.
         * @example {
         *       "userId": "ada",
         *       "deviceType": "android",
         *       "deviceToken": "fX2k…",
         *       "osVersion": "15",
         *       "clientVersion": "4.2.0",
         *       "subscriptions": [
         *         "default",
         *         "public/sport",
         *         "alerts"
         *       ],
         *       "timeZone": "Europe/Amsterdam",
         *       "locale": "nl",
         *       "realtime": true
         *     }
         */
        RegistrationRequest: {
            /** @description must be the application of the access token, if it is sent */
            appId?: string;
            /** @description another name of clientVersion, which takes precedence */
            appVersion?: string | number;
            /** @description the token of a click, if the app has it from elsewhere */
            clickToken?: string;
            clientVersion?: string | number;
            /** @description FCM, HMS or APNs token; for web a PushSubscription, as an object or as its JSON text; `disabled` or `NOT_EXIST`: no token */
            deviceToken?: string | ({
                endpoint: string;
                keys: {
                    auth: string;
                    p256dh: string;
                };
            } & {
                [key: string]: unknown;
            });
            /** @description such as android, huawei, ios, web */
            deviceType?: string;
            /**
             * Format: date-time
             * @description ISO 8601, or milliseconds since 1970
             */
            installDate?: string | number;
            /** @description the referrer from the Play Store, which leads to the link that was clicked before */
            installReferrer?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            isGuest?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            isLoggedIn?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            launchCount?: number;
            /**
             * Format: date-time
             * @description ISO 8601, or milliseconds since 1970
             */
            launchTime?: string | number;
            /** @description such as nl-NL */
            locale?: string;
            location?: components["schemas"]["LocationRequest"];
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            newInstall?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            osVersion?: string | number;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            protected?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /**
             * @description the default depends on `deviceType`
             * @enum {string}
             */
            pushType?: "fcm" | "apns" | "hms" | "webpush";
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            realtime?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            subscriptions?: string[];
            /** @description such as Europe/Amsterdam */
            timeZone?: string;
            /** @description such as ALLOWED, DENIED, NOT_SUPPORTED, ERR */
            tokenStatus?: string;
            /** @description the user agent of the browser, for applications that match clicks by network address */
            userAgent?: string;
            /** @description HMAC-SHA256 of the user's id under the application's identity key, in hexadecimal or base64 */
            userHash?: string;
            userId: string;
        } & {
            [key: string]: unknown;
        };
        ReleasedQuarantineResponse: {
            released: number;
        };
        Removed: {
            id?: string;
        };
        RevenueTotal: {
            amount: number;
            conversions: number;
            /** @description null when the app reported none */
            currency: string | null;
        };
        RouteRetryResponse: {
            /** @description the number of pages that waited */
            pages: number;
        };
        RuleAnswerResponse: {
            holds: boolean;
            /** @description the path of the rule, such as segment.all[2] */
            path: string;
            why: string;
        };
        RuleEffectResponse: {
            /** @description devices of the channel that match this rule alone */
            alone: number;
            /** @description the path of the rule, such as segment.all[2] */
            path: string;
            /** @description devices that this rule removes from the group; below 0 for a rule of `any` that adds devices */
            removes: number;
            /** @description devices in the group without this rule */
            without: number;
        };
        SampledDeviceResponse: {
            /** Format: uuid */
            installationId: string;
            userId: string;
            /** @enum {string} */
            vendor: "fcm" | "apns" | "hms" | "webpush" | "connection";
        };
        SavedSegmentReference: {
            /**
             * Format: uuid
             * @description the id of a saved segment
             */
            id: string;
        };
        /**
         * @example {
         *       "name": "Seen this week",
         *       "target": {
         *         "deviceType": "android"
         *       },
         *       "segment": {
         *         "all": [
         *           {
         *             "name": "launchTime",
         *             "operator": "after",
         *             "value": "7d"
         *           }
         *         ]
         *       },
         *       "revision": 1
         *     }
         */
        SegmentChangesRequest: {
            name: string;
            /** @description change the segment only while it has this revision; if it has another one by now, the answer is 409 */
            revision?: number;
            segment?: components["schemas"]["SegmentGroup"];
            /** @description the value of each field; an array means one of its values; nearBy has a circle, or [lat, lng, radius] */
            target?: {
                [key: string]: (string | number | boolean | (string | number | boolean)[]) | ({
                    lat: number | string;
                    lng: number | string;
                    radius: number | string;
                } | (number | string)[]);
            };
        };
        SegmentCountResponse: {
            /** @description devices that a message to the group would be sent to */
            count: number;
            /** @description all devices of the group */
            devices: number;
            tookMs: number;
            /** @description their users; absent unless requested */
            users?: number;
            /** @description devices of the group that could be reached if these vendors were connected, most first; if there are any */
            waitingForVendors?: components["schemas"]["WaitingDevicesOverview"][];
        };
        SegmentExplanationResponse: {
            /** @description devices that a message to the group would be sent to */
            count: number;
            /** @description all devices of the group */
            devices: number;
            /** @description present when userId or installationId was sent */
            explained?: components["schemas"]["ExplainedDeviceResponse"][];
            rules: components["schemas"]["RuleEffectResponse"][];
            tookMs: number;
        };
        SegmentFieldResponse: {
            /** @description the number of devices with a value; for tags, the number of tags that they have together */
            devices: number;
            /** @description as a rule names it: `deviceType`, `tags`, `tags.<tag>` for the value of a tag, or an attribute */
            name: string;
            /** @description its most frequent values; for attributes and values of tags, only those that several devices have */
            values: components["schemas"]["SegmentFieldValueResponse"][];
        };
        SegmentFieldsResponse: {
            /** @description how many devices were looked at: the newest */
            devices: number;
            fields: components["schemas"]["SegmentFieldResponse"][];
        };
        SegmentFieldValueResponse: {
            devices: number;
            /** @description text, a number or a boolean */
            value: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean;
        };
        /** @description all keys that are present must hold; at most 100 rules, 5 levels deep */
        SegmentGroup: {
            /** @description every rule must match */
            all?: (components["schemas"]["SegmentRule"] | components["schemas"]["SegmentGroup"])[];
            /** @description at least one rule must match */
            any?: (components["schemas"]["SegmentRule"] | components["schemas"]["SegmentGroup"])[];
            /** @description no rule may match */
            none?: (components["schemas"]["SegmentRule"] | components["schemas"]["SegmentGroup"])[];
        };
        /**
         * @example {
         *       "name": "Seen this week",
         *       "target": {
         *         "deviceType": "android"
         *       },
         *       "segment": {
         *         "all": [
         *           {
         *             "name": "launchTime",
         *             "operator": "after",
         *             "value": "7d"
         *           }
         *         ]
         *       }
         *     }
         */
        SegmentRequest: {
            name: string;
            segment?: components["schemas"]["SegmentGroup"];
            /** @description the value of each field; an array means one of its values; nearBy has a circle, or [lat, lng, radius] */
            target?: {
                [key: string]: (string | number | boolean | (string | number | boolean)[]) | ({
                    lat: number | string;
                    lng: number | string;
                    radius: number | string;
                } | (number | string)[]);
            };
        };
        SegmentResponse: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            name: string;
            /** @description rises with each change; a change may name the one that it was made from */
            revision: number;
            segment?: components["schemas"]["SegmentGroup"] | components["schemas"]["SavedSegmentReference"];
            /** @description its last measured size; null until it is measured as it is now */
            size: components["schemas"]["SegmentSizeResponse"] | null;
            /** @description the value of each field; an array means one of its values; nearBy has a circle, or [lat, lng, radius] */
            target?: {
                [key: string]: (string | number | boolean | (string | number | boolean)[]) | ({
                    lat: number | string;
                    lng: number | string;
                    radius: number | string;
                } | (number | string)[]);
            };
            /** @description in a list that asks for it: the last size that was measured on each of the last 30 days (UTC) and today, oldest first */
            trend?: components["schemas"]["SegmentSizeResponse"][];
            /** Format: date-time */
            updatedAt: string;
        };
        /** @description the allowed operators and values depend on the field */
        SegmentRule: {
            /** @description launchTime, tags, tags.<tag>, an attribute */
            name: string;
            /** @enum {string} */
            operator: "equal_to" | "not_equal" | "lesser_than" | "lesser_equals" | "greater_than" | "greater_equals" | "include" | "not_include" | "before" | "after";
            /** @description an array with include and not_include; a circle, or [lat, lng, radius], with nearBy */
            value: string | number | boolean | (string | number | boolean)[] | {
                lat: number | string;
                lng: number | string;
                radius: number | string;
            };
        };
        SegmentSizeResponse: {
            /** Format: date-time */
            at: string;
            /** @description all devices that matched */
            devices: number;
            /** @description devices that a message would have been sent to */
            reachable: number;
            /** @description their users; null when counting them took too long */
            users: number | null;
        };
        SegmentSizesResponse: {
            /** Format: uuid */
            id: string;
            sizes: components["schemas"]["SegmentSizeResponse"][];
        };
        SegmentsResponse: {
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
            segments: components["schemas"]["SegmentResponse"][];
        };
        SendLanguageResponse: {
            /** @description devices that get this language */
            count: number;
            /** @description as the message writes it; null: the default */
            language: string | null;
            /** @description at most 5 of them, of different types first */
            sample: components["schemas"]["SampledDeviceResponse"][];
        };
        SendResponse: {
            /** @description how many devices get which language, the default first; in the answer to a dry run of a single message with `localized`. With variants: the languages of all of them. Left out if the count would take too long */
            byLanguage?: components["schemas"]["SendLanguageResponse"][];
            /** @description the number of devices by vendor; in the answer to a dry run */
            byVendor?: {
                [key: string]: number;
            };
            /** @description devices that the message is sent to */
            count: number;
            /** @description the caps that apply when the message leaves: `count` includes users who have reached one, but they are skipped; in the answer to a dry run, if there are any */
            frequencyCaps?: components["schemas"]["FrequencyCapResponse"][];
            /** @description a sample of the devices; in the answer to a dry run */
            sample?: components["schemas"]["SampledDeviceResponse"][];
            /** @description when each message starts and ends; in the answer to a dry run, for messages that are scheduled, have a rate or wait for quiet hours to end */
            schedule?: components["schemas"]["SendSpanResponse"][];
            /** @description devices that could be reached if these vendors were connected, most first; they are not in `count`; in the answer to a dry run of a single message, if there are any */
            waitingForVendors?: components["schemas"]["WaitingDevicesOverview"][];
            /** @description names in texts that never have a value, variables that a text shows and that nothing gives, variables of the request that no text reads, and a fallback whose delay is not less than ttl; in the answer to a dry run, if there are any */
            warnings?: components["schemas"]["TextWarningResponse"][];
        };
        SendsOverview: {
            /**
             * Format: date-time
             * @description when it was counted
             */
            asOf: string;
            campaigns: number;
            /** @description devices that reported delivery of these messages */
            delivered: number;
            /** @description devices that these were sent to, as answered when they were accepted */
            devices: number;
            messages: number;
            opened: number;
            /** Format: date-time */
            since: string;
        };
        SendSpanResponse: {
            /** Format: date-time */
            firstAt: string | null;
            /** Format: date-time */
            lastAt: string | null;
            /** @description devices that get nothing because the message expires before their quiet hours end; for the same messages as `waiting` */
            tooLate?: number;
            /** @description devices that wait for the end of quiet hours; for a single message that obeys them, not for an array */
            waiting?: number;
        };
        SendToGroupRequest: {
            alertText?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            autoNotify?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /**
             * @description sport or public/sport; /private/alerts
             * @default public/default
             */
            channel?: string;
            /** @description required, except without alertText and with a notification that has only `contentAvailable` (it wakes the app up), or where every variant has it */
            content?: string;
            /** @description for a message to named users: true if it counts for the frequency caps and obeys them, like a campaign; 1, 0, "true", "false", "1" and "0" are accepted too */
            countsTowardsCap?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description any JSON */
            data?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean;
            /** @description the draft that this message was made from: it is removed when the message is accepted */
            draftId?: string;
            /** @description the revision of the draft that this message was made from; with another one nothing is sent */
            draftRevision?: number;
            /** @description how many devices the sender expects; with another count nothing is sent */
            expectedCount?: number;
            /** @description the allowed difference, as a share of expectedCount; the default is 0.02 */
            expectedCountTolerance?: number;
            /** @description the percentage of users who get nothing, to compare the others with; campaigns only */
            holdout?: number;
            /** @description true to send it also to users who have had as many campaigns as the frequency caps allow; it still counts; 1, 0, "true", "false", "1" and "0" are accepted too */
            ignoreFrequencyCap?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description true to send during the quiet hours of the application; 1, 0, "true", "false", "1" and "0" are accepted too */
            ignoreQuietHours?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            inApp?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description a test send: shows a sample in place of promo codes, and takes no code; 1, 0, "true", "false", "1" and "0" are accepted too */
            isTest?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            live?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /**
             * @description the message in other languages, by language tag (BCP 47); tags must differ by more than case
             * @example {
             *       "fa": {
             *         "content": "سلام"
             *       }
             *     }
             */
            localized?: {
                [key: string]: components["schemas"]["LocalizedContentRequest"];
            };
            /** @description true if sendAt is in the local time of each device; campaigns only; 1, 0, "true", "false", "1" and "0" are accepted too */
            localTime?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            notification?: components["schemas"]["NotificationRequest"];
            /** @description devices per second */
            rate?: number;
            segment?: components["schemas"]["SegmentGroup"] | components["schemas"]["SavedSegmentReference"];
            /**
             * @description when to send, ISO 8601, up to 90 days ahead; without an offset when localTime is set
             * @example 2026-11-22T09:00:00+01:00
             * @example 2026-11-22T09:00:00
             */
            sendAt?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            silent?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description the value of each field; an array means one of its values; nearBy has a circle, or [lat, lng, radius] */
            target?: {
                [key: string]: (string | number | boolean | (string | number | boolean)[]) | ({
                    lat: number | string;
                    lng: number | string;
                    radius: number | string;
                } | (number | string)[]);
            };
            /** @description the template whose content the message has; fields of the send go before those of the template */
            templateId?: string;
            /** @description a version of the template; absent: the newest one */
            templateVersion?: number;
            trackId?: string;
            /** @description true to count clicks on web links (clickUrl, actions); 1, 0, "true", "false", "1" and "0" are accepted too */
            trackLinks?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /**
             * @description seconds
             * @default 2419200
             */
            ttl?: number;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            useAsAlert?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description values that texts read as `variables.<name>`; at most 16384 bytes of JSON */
            variables?: {
                [key: string]: unknown;
            };
            /** @description what different parts of the users get; campaigns only */
            variants?: components["schemas"]["VariantRequest"][];
            /** @description sends the best of the variants to the users who got none yet; campaigns only */
            winner?: components["schemas"]["WinnerRequest"];
        } & {
            [key: string]: unknown;
        };
        SendToUserRequest: {
            alertText?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            autoNotify?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /**
             * @description sport or public/sport; /private/alerts
             * @default public/default
             */
            channel?: string;
            clientId?: string;
            /** @description required, except without alertText and with a notification that has only `contentAvailable` (it wakes the app up), or where every variant has it */
            content?: string;
            /** @description for a message to named users: true if it counts for the frequency caps and obeys them, like a campaign; 1, 0, "true", "false", "1" and "0" are accepted too */
            countsTowardsCap?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description any JSON */
            data?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean;
            /** @description the draft that this message was made from: it is removed when the message is accepted */
            draftId?: string;
            /** @description the revision of the draft that this message was made from; with another one nothing is sent */
            draftRevision?: number;
            /** @description how many devices the sender expects; with another count nothing is sent */
            expectedCount?: number;
            /** @description the allowed difference, as a share of expectedCount; the default is 0.02 */
            expectedCountTolerance?: number;
            fallback?: components["schemas"]["FallbackRequest"];
            /** @description the percentage of users who get nothing, to compare the others with; campaigns only */
            holdout?: number;
            /** @description true to send it also to users who have had as many campaigns as the frequency caps allow; it still counts; 1, 0, "true", "false", "1" and "0" are accepted too */
            ignoreFrequencyCap?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description true to send during the quiet hours of the application; 1, 0, "true", "false", "1" and "0" are accepted too */
            ignoreQuietHours?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            inApp?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description a test send: shows a sample in place of promo codes, and takes no code; 1, 0, "true", "false", "1" and "0" are accepted too */
            isTest?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            live?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /**
             * @description the message in other languages, by language tag (BCP 47); tags must differ by more than case
             * @example {
             *       "fa": {
             *         "content": "سلام"
             *       }
             *     }
             */
            localized?: {
                [key: string]: components["schemas"]["LocalizedContentRequest"];
            };
            /** @description true if sendAt is in the local time of each device; campaigns only; 1, 0, "true", "false", "1" and "0" are accepted too */
            localTime?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            notification?: components["schemas"]["NotificationRequest"];
            /** @description devices per second */
            rate?: number;
            /**
             * @description when to send, ISO 8601, up to 90 days ahead; without an offset when localTime is set
             * @example 2026-11-22T09:00:00+01:00
             * @example 2026-11-22T09:00:00
             */
            sendAt?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            silent?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description the template whose content the message has; fields of the send go before those of the template */
            templateId?: string;
            /** @description a version of the template; absent: the newest one */
            templateVersion?: number;
            trackId?: string;
            /** @description true to count clicks on web links (clickUrl, actions); 1, 0, "true", "false", "1" and "0" are accepted too */
            trackLinks?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /**
             * @description seconds
             * @default 2419200
             */
            ttl?: number;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            useAsAlert?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description a user id, or * for the channel */
            user: string;
            /** @description values that texts read as `variables.<name>`; at most 16384 bytes of JSON */
            variables?: {
                [key: string]: unknown;
            };
            /** @description what different parts of the users get; campaigns only */
            variants?: components["schemas"]["VariantRequest"][];
            /** @description sends the best of the variants to the users who got none yet; campaigns only */
            winner?: components["schemas"]["WinnerRequest"];
        } & {
            [key: string]: unknown;
        };
        SendToUsersRequest: {
            alertText?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            autoNotify?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /**
             * @description sport or public/sport; /private/alerts
             * @default public/default
             */
            channel?: string;
            clientId?: string;
            /** @description required, except without alertText and with a notification that has only `contentAvailable` (it wakes the app up), or where every variant has it */
            content?: string;
            /** @description for a message to named users: true if it counts for the frequency caps and obeys them, like a campaign; 1, 0, "true", "false", "1" and "0" are accepted too */
            countsTowardsCap?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description any JSON */
            data?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean;
            /** @description the draft that this message was made from: it is removed when the message is accepted */
            draftId?: string;
            /** @description the revision of the draft that this message was made from; with another one nothing is sent */
            draftRevision?: number;
            /** @description how many devices the sender expects; with another count nothing is sent */
            expectedCount?: number;
            /** @description the allowed difference, as a share of expectedCount; the default is 0.02 */
            expectedCountTolerance?: number;
            fallback?: components["schemas"]["FallbackRequest"];
            /** @description the percentage of users who get nothing, to compare the others with; campaigns only */
            holdout?: number;
            /** @description true to send it also to users who have had as many campaigns as the frequency caps allow; it still counts; 1, 0, "true", "false", "1" and "0" are accepted too */
            ignoreFrequencyCap?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description true to send during the quiet hours of the application; 1, 0, "true", "false", "1" and "0" are accepted too */
            ignoreQuietHours?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            inApp?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description a test send: shows a sample in place of promo codes, and takes no code; 1, 0, "true", "false", "1" and "0" are accepted too */
            isTest?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            live?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /**
             * @description the message in other languages, by language tag (BCP 47); tags must differ by more than case
             * @example {
             *       "fa": {
             *         "content": "سلام"
             *       }
             *     }
             */
            localized?: {
                [key: string]: components["schemas"]["LocalizedContentRequest"];
            };
            /** @description true if sendAt is in the local time of each device; campaigns only; 1, 0, "true", "false", "1" and "0" are accepted too */
            localTime?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            notification?: components["schemas"]["NotificationRequest"];
            /** @description devices per second */
            rate?: number;
            /**
             * @description when to send, ISO 8601, up to 90 days ahead; without an offset when localTime is set
             * @example 2026-11-22T09:00:00+01:00
             * @example 2026-11-22T09:00:00
             */
            sendAt?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            silent?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description the template whose content the message has; fields of the send go before those of the template */
            templateId?: string;
            /** @description a version of the template; absent: the newest one */
            templateVersion?: number;
            trackId?: string;
            /** @description true to count clicks on web links (clickUrl, actions); 1, 0, "true", "false", "1" and "0" are accepted too */
            trackLinks?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /**
             * @description seconds
             * @default 2419200
             */
            ttl?: number;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            useAsAlert?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            users: string[];
            /** @description values that texts read as `variables.<name>`; at most 16384 bytes of JSON */
            variables?: {
                [key: string]: unknown;
            };
            /** @description what different parts of the users get; campaigns only */
            variants?: components["schemas"]["VariantRequest"][];
            /** @description sends the best of the variants to the users who got none yet; campaigns only */
            winner?: components["schemas"]["WinnerRequest"];
        } & {
            [key: string]: unknown;
        };
        ServiceAccountRequest: {
            client_email: string;
            /** @description PEM, RSA */
            private_key: string;
            project_id: string;
            /**
             * Format: uri
             * @default https://oauth2.googleapis.com/token
             */
            token_uri?: string;
        };
        ShareResponse: {
            high: number | null;
            low: number | null;
            /** @description share of the users sent to; null: there were none */
            share: number | null;
            users: number;
        };
        SkipsOverview: {
            /**
             * Format: date-time
             * @description when they were counted
             */
            asOf: string;
            /** @description by the reason */
            byReason: {
                [key: string]: number;
            };
            /** @description the devices of each vendor, by the reason; devices without a token have none */
            byVendor: {
                [key: string]: {
                    [key: string]: number;
                };
            };
            devices: number;
            /** Format: date-time */
            since: string;
        };
        SmsPreviewResponse: {
            /** @description the tag of `localized` that is shown; null: the default */
            language: string | null;
            problem?: components["schemas"]["PreviewProblemResponse"];
            text?: string;
        };
        SmsReportResponse: {
            /** @description false when the report contained nothing new */
            recorded: boolean;
        };
        StatsListResponse: {
            actions?: components["schemas"]["ActionTotal"][];
            links?: components["schemas"]["LinkTotal"][];
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
            revenue?: components["schemas"]["RevenueTotal"][];
            /** @description the number of entries in total */
            total: number;
        };
        StatsResponse: {
            actions: components["schemas"]["ActionTotal"][];
            byPlatform: {
                [key: string]: components["schemas"]["EngagementTotals"];
            };
            /** @description the number of devices that it was sent to */
            count: number;
            /** Format: date-time */
            from: string;
            /** @description the id of the message or campaign, or the tracking id of the campaign */
            id: string;
            /** @enum {string} */
            interval: "hour" | "day";
            links: components["schemas"]["LinkTotal"][];
            /** @description the number of messages of the campaign */
            messages: number;
            more: components["schemas"]["UnlistedTotals"];
            revenue: components["schemas"]["RevenueTotal"][];
            series: components["schemas"]["EngagementAt"][];
            /** Format: date-time */
            to: string;
            /** @description devices, each counted once for each message */
            totals: components["schemas"]["EngagementTotals"];
            trackId: string | null;
        };
        TagJobResponse: {
            bytes: number;
            bytesWorked: number;
            /** Format: date-time */
            createdAt: string;
            devicesChanged: number;
            /** @description the first 1,000 refused lines */
            errors: components["schemas"]["RefusedTagLineResponse"][];
            failedLines: number;
            /** Format: date-time */
            finishedAt: string | null;
            /**
             * Format: uuid
             * @description the id of the job, to read its progress
             */
            jobId: string;
            lines: number;
            /** @description why it failed */
            reason: string | null;
            /** @enum {string} */
            status: "uploading" | "working" | "done" | "failed";
            unknownUsers: number;
            usersChanged: number;
        };
        /**
         * @example {
         *       "userId": "ada",
         *       "tag": "city"
         *     }
         */
        TagOfUserRequest: {
            tag: string;
            userId: string;
        };
        /**
         * @example {
         *       "userId": "ada",
         *       "tags": [
         *         "gold",
         *         "chess"
         *       ]
         *     }
         */
        TagsRequest: {
            /** @description the device that makes the request, with a token of the scope `devices` */
            installationId?: string;
            tags: string[];
            /** @description HMAC-SHA256 of the user's id under the application's identity key, in hexadecimal or base64 */
            userHash?: string;
            userId: string;
        };
        /**
         * @example {
         *       "name": "Order ready",
         *       "message": {
         *         "content": "Order {{ variables.order }} is ready",
         *         "useAsAlert": true
         *       },
         *       "variables": [
         *         {
         *           "name": "order",
         *           "required": true
         *         }
         *       ],
         *       "version": 1
         *     }
         */
        TemplateChangesRequest: {
            description?: string;
            /** @description the content of a message, as in a send: content, data, alertText, useAsAlert, autoNotify, silent, notification, fallback, trackLinks, localized, variants, holdout, winner */
            message: {
                [key: string]: unknown;
            };
            name: string;
            variables?: components["schemas"]["TemplateVariable"][];
            /** @description the version that this one was made from; if the template has a newer one by now, the answer is 409 */
            version?: number;
        };
        /**
         * @example {
         *       "name": "Order ready",
         *       "message": {
         *         "content": "Order {{ variables.order }} is ready",
         *         "useAsAlert": true
         *       },
         *       "variables": [
         *         {
         *           "name": "order",
         *           "required": true
         *         }
         *       ]
         *     }
         */
        TemplateRequest: {
            description?: string;
            /** @description the content of a message, as in a send: content, data, alertText, useAsAlert, autoNotify, silent, notification, fallback, trackLinks, localized, variants, holdout, winner */
            message: {
                [key: string]: unknown;
            };
            name: string;
            variables?: components["schemas"]["TemplateVariable"][];
        };
        TemplateResponse: {
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            /** Format: uuid */
            id: string;
            /** @description the content of a message */
            message: {
                [key: string]: unknown;
            };
            name: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description who made the newest version: the name of an access token, or `operator` */
            updatedBy: string;
            variables: components["schemas"]["TemplateVariableResponse"][];
            /** @description the newest version */
            version: number;
            /** @description names in its texts that never have a value, and variables that it does not list, or does not read */
            warnings: components["schemas"]["TemplateWarningResponse"][];
        };
        /**
         * @example {
         *       "version": 1
         *     }
         */
        TemplateRestoreRequest: {
            /** @description the version whose content becomes the newest version */
            version: number;
        };
        TemplatesResponse: {
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
            templates: components["schemas"]["TemplateSummaryResponse"][];
        };
        TemplateSummaryResponse: {
            /** Format: date-time */
            createdAt: string;
            description: string | null;
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description who made the newest version: the name of an access token, or `operator` */
            updatedBy: string;
            /** @description the newest version */
            version: number;
        };
        TemplateVariable: {
            /** @description the value of a send that has none */
            default?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean;
            /** @description what it is, for people who send */
            description?: string;
            name: string;
            /**
             * @description true if a send without it is refused; 1, 0, "true", "false", "1" and "0" are accepted too
             * @default false
             */
            required?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
        };
        TemplateVariableResponse: {
            default?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean;
            description?: string;
            name: string;
            required: boolean;
        };
        TemplateVersionResponse: {
            /** Format: date-time */
            createdAt: string;
            /** @description the name of an access token, or `operator` */
            createdBy: string;
            version: number;
        };
        TemplateVersionsResponse: {
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
            versions: components["schemas"]["TemplateVersionResponse"][];
        };
        TemplateWarningResponse: {
            message: string;
            /** @description where it stands in the template, as in errors: `message.content`, `variables[0]` */
            path: string;
        };
        TestFiguresResponse: {
            /** @description devices that chose an action or a link */
            clicked: number;
            /** @description devices */
            delivered: number;
            /** @description devices */
            opened: number;
            /** @description devices */
            sent: number;
            /** @description users sent to who are still known */
            users: number;
            usersClicked: components["schemas"]["ShareResponse"];
            /** @description users with a conversion since then, by any message */
            usersConverted: components["schemas"]["ShareResponse"];
            usersOpened: components["schemas"]["ShareResponse"];
        };
        TextWarningResponse: {
            message: string;
            /** @description where it stands in the request, as in errors: `content`, `[3].variables.order` */
            path: string;
        };
        ThroughputOverview: {
            points: components["schemas"]["ThroughputPoint"][];
            spanSeconds: number;
        };
        ThroughputPoint: {
            /** Format: date-time */
            at: string;
            devices: number;
        };
        TokenResponse: {
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            id: string;
            name: string;
            scopes: ("send" | "tags" | "promo" | "devices" | "read" | "server")[];
        };
        ToUsersBody: components["schemas"]["SendToUserRequest"] | components["schemas"]["SendToUsersRequest"] | components["schemas"]["SendToUserRequest"][];
        /**
         * @example [
         *       {
         *         "userId": "ada",
         *         "eventName": "signup"
         *       },
         *       {
         *         "userId": "grace",
         *         "eventName": "level",
         *         "eventData": {
         *           "value": 3
         *         }
         *       }
         *     ]
         */
        TrackBulkBody: components["schemas"]["TrackRequest"][];
        /**
         * @example {
         *       "name": "Winter sale",
         *       "redirect": null
         *     }
         */
        TrackerChangesRequest: {
            allowedHosts?: string[] | null;
            /** @description the default for `deep_link` in a click */
            deepLink?: string | null;
            /** @description the page to open if no other one is set */
            destination?: string | null;
            name?: string;
            /** @description the pages of the app stores, by platform; `{click_token}` in a link becomes the token of the click */
            platforms?: components["schemas"]["TrackerPlatforms"] | null;
            /** @description the default for the parameter `redirect` in a click */
            redirect?: string | null;
        };
        TrackerPlatforms: {
            android?: string;
            ios?: string;
            web?: string;
        };
        TrackerResponse: {
            allowedHosts: string[];
            /** Format: date-time */
            createdAt: string;
            deepLink: string | null;
            destination: string | null;
            id: string;
            name: string;
            platforms: components["schemas"]["TrackerPlatforms"];
            redirect: string | null;
            /** Format: date-time */
            updatedAt: string;
            /** @description the link; `deep_link` and `redirect` can be added to it */
            url: string;
        };
        TrackersResponse: {
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
            trackers: components["schemas"]["TrackerResponse"][];
        };
        TrackerStatsResponse: {
            byPlatform: {
                [key: string]: components["schemas"]["TrackerTotals"];
            };
            /** Format: date-time */
            from: string;
            id: string;
            /** @enum {string} */
            interval: "hour" | "day";
            name: string;
            series: components["schemas"]["TrackerTotalsAt"][];
            /** Format: date-time */
            to: string;
            totals: components["schemas"]["TrackerTotals"];
        };
        TrackerTotals: {
            /** @description all clicks of people, robots left out */
            clicks: number;
            /** @description installations whose app did not open it */
            declined: number;
            /** @description installations that received a deep link clicked before the installation */
            installs: number;
            /** @description installations whose app opened the deep link */
            opened: number;
            /** @description visitors, each counted once a day */
            visitors: number;
        };
        TrackerTotalsAt: {
            /** Format: date-time */
            at: string;
            /** @description all clicks of people, robots left out */
            clicks: number;
            /** @description installations whose app did not open it */
            declined: number;
            /** @description installations that received a deep link clicked before the installation */
            installs: number;
            /** @description installations whose app opened the deep link */
            opened: number;
            /** @description visitors, each counted once a day */
            visitors: number;
        };
        /**
         * @example {
         *       "userId": "ada",
         *       "eventName": "order",
         *       "revenue": 12.5,
         *       "currency": "EUR"
         *     }
         */
        TrackPurchaseRequest: {
            currency?: string;
            /** @description `value` becomes `<eventName>.lastValue`, and a number is added to `<eventName>.sum` */
            eventData?: {
                [key: string]: string | number | boolean | (string | number | boolean)[] | null;
            };
            eventName: string;
            /**
             * Format: date-time
             * @description now when it is left out; at most a day ahead; ISO 8601, or milliseconds since 1970
             */
            eventTime?: string | number;
            installationId?: string;
            revenue: number;
            /** @description HMAC-SHA256 of the user's id under the application's identity key, in hexadecimal or base64 */
            userHash?: string;
            userId?: string;
        };
        /**
         * @example {
         *       "userId": "ada",
         *       "eventName": "signup",
         *       "eventData": {
         *         "plan": "gold",
         *         "value": 3
         *       }
         *     }
         * @example {
         *       "installationId": "01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d",
         *       "eventName": "level",
         *       "eventTime": "2026-11-22T09:00:00Z"
         *     }
         */
        TrackRequest: {
            /** @description `value` becomes `<eventName>.lastValue`, and a number is added to `<eventName>.sum` */
            eventData?: {
                [key: string]: string | number | boolean | (string | number | boolean)[] | null;
            };
            eventName: string;
            /**
             * Format: date-time
             * @description now when it is left out; at most a day ahead; ISO 8601, or milliseconds since 1970
             */
            eventTime?: string | number;
            installationId?: string;
            /** @description HMAC-SHA256 of the user's id under the application's identity key, in hexadecimal or base64 */
            userHash?: string;
            userId?: string;
        };
        /**
         * @example {
         *       "queued": true,
         *       "n": 1
         *     }
         */
        TrackResponse: {
            /** @description events that are recorded */
            n: number;
            /** @description always true: the events are recorded */
            queued: boolean;
        };
        /**
         * @example {
         *       "userId": "ada",
         *       "revenue": 12.5,
         *       "currency": "EUR"
         *     }
         */
        TrackRevenueRequest: {
            currency?: string;
            /** @description `value` becomes `<eventName>.lastValue`, and a number is added to `<eventName>.sum` */
            eventData?: {
                [key: string]: string | number | boolean | (string | number | boolean)[] | null;
            };
            /** @enum {string} */
            eventName?: "Purchase";
            /**
             * Format: date-time
             * @description now when it is left out; at most a day ahead; ISO 8601, or milliseconds since 1970
             */
            eventTime?: string | number;
            installationId?: string;
            revenue: number;
            /** @description HMAC-SHA256 of the user's id under the application's identity key, in hexadecimal or base64 */
            userHash?: string;
            userId?: string;
        };
        TwilioCredentialsRequest: {
            accountSid: string;
            authToken: string;
            /** @description PEM of the only trusted certificate authority, for your own endpoint */
            ca?: string;
            /**
             * Format: uri
             * @default https://api.twilio.com
             */
            endpoint?: string;
            from?: string;
            messagingServiceSid?: string;
            /**
             * @description what happens to an SMS when it is unknown if the provider accepted it: it is not sent again (`leave`, the default) or sent again (`resend`)
             * @enum {string}
             */
            onUnknown?: "leave" | "resend";
            /** @enum {string} */
            provider: "twilio";
        };
        UninstallReportResponse: {
            /** @description all of them, in `data` or not */
            count: number;
            data: components["schemas"]["UninstallResponse"][];
        };
        UninstallResponse: {
            deviceType: string | null;
            /** Format: uuid */
            installationId: string;
            /**
             * Format: date-time
             * @description the time of the vendor's answer
             */
            time: string;
            /** @description whose the device was */
            userId: string;
        };
        UnlistedTotals: {
            actions: number;
            links: number;
            revenue: number;
        };
        /** @description The user's attributes */
        UpdateUserInfoAnswer: {
            [key: string]: unknown;
        };
        UserDeliveryListResponse: {
            deliveries: components["schemas"]["UserDeliveryResponse"][];
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
        };
        UserDeliveryResponse: {
            /** @description the message */
            content: components["schemas"]["MessageContentResponse"];
            /** Format: date-time */
            createdAt: string;
            error: string | null;
            /** Format: uuid */
            installationId: string;
            isCampaign: boolean;
            /** @description the tag of `localized` that it was sent in; null: the default, or not sent */
            language: string | null;
            /** Format: uuid */
            messageId: string;
            reason: string | null;
            /** @enum {string} */
            state: "pending" | "sent" | "delivered" | "shown" | "dismissed" | "opened" | "failed" | "expired" | "skipped" | "cancelled";
            /** @description the variant of the campaign that the user gets; null: held out, none yet, or the message has none */
            variant: string | null;
            vendor: string | null;
        };
        UserDeviceResponse: {
            appId: string;
            /** @description the attributes of this device alone */
            attributes: {
                [key: string]: unknown;
            };
            clientVersion: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description a link that was clicked before the app was installed, in the answer to the first registration */
            deferredDeepLink?: string;
            deviceToken: string | null;
            deviceType: string | null;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            installDate: string;
            launchCount: number;
            /** Format: date-time */
            launchTime: string;
            locale: string | null;
            location?: {
                lat: number;
                lng: number;
            } | null;
            osVersion: string | null;
            protected: boolean;
            pushType: string | null;
            realtime: boolean;
            /** @description memberships of channels other than the default ones, as public/<name> or private/<name> */
            subscriptions: string[];
            tags: string[];
            timeZone: string | null;
            tokenStatus: string | null;
            /** Format: date-time */
            updatedAt: string;
            userId: string;
            /** @description the user's attributes */
            userInfo?: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
        UserExportResponse: {
            attributes: {
                [key: string]: unknown;
            };
            installations: components["schemas"]["UserDeviceResponse"][];
            /** @description the messages, with their deliveries */
            messages: {
                [key: string]: unknown;
            }[];
            openedLinks: components["schemas"]["OpenedLinkResponse"][];
            /** @description the promo codes assigned to the user */
            promoCodes: {
                [key: string]: unknown;
            }[];
            tags: string[];
            /** @description the values of key/value tags */
            tagValues: {
                [key: string]: string;
            };
            uninstalls: components["schemas"]["UserUninstallResponse"][];
            userId: string;
        };
        UserInfoMetaRequest: {
            keys?: {
                [key: string]: {
                    /** @enum {string} */
                    operation?: "unset" | "addToArray" | "removeFromArray";
                    /** @enum {string} */
                    type?: "date" | "array";
                    value?: string | number | boolean | (string | number | boolean)[];
                };
            };
        };
        /**
         * @example {
         *       "installationId": "01932c5e-7f7a-7c3e-8a3b-0f6d2a1b4c5d",
         *       "data": {
         *         "plan": "gold",
         *         "born": 1700000000000
         *       },
         *       "__meta": {
         *         "keys": {
         *           "born": {
         *             "type": "date"
         *           },
         *           "interests": {
         *             "operation": "addToArray",
         *             "value": "chess"
         *           }
         *         }
         *       }
         *     }
         */
        UserInfoRequest: {
            __meta?: components["schemas"]["UserInfoMetaRequest"];
            /** @description by name; null removes an attribute */
            data?: {
                [key: string]: string | number | boolean | (string | number | boolean)[] | null;
            };
            installationId: string;
            /** @description HMAC-SHA256 of the user's id under the application's identity key, in hexadecimal or base64 */
            userHash?: string;
        };
        UserListResponse: {
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
            users: components["schemas"]["ListedUserResponse"][];
        };
        UserPreviewResponse: {
            /** @description their devices, the most recently used first */
            devices: components["schemas"]["DevicePreviewResponse"][];
            /** @description present when the message has a fallback */
            sms?: components["schemas"]["SmsPreviewResponse"];
            userId: string;
        };
        UserResponse: {
            attributes: {
                [key: string]: unknown;
            };
            devices: components["schemas"]["ReachableDeviceResponse"][];
            tags: string[];
            /** @description the values of key/value tags */
            tagValues: {
                [key: string]: string;
            };
            userId: string;
        };
        UserUninstallResponse: {
            deviceType: string | null;
            /** Format: uuid */
            installationId: string;
            /** Format: date-time */
            time: string;
        };
        /**
         * @example {
         *       "userId": "ada",
         *       "tag": "city",
         *       "value": "Utrecht"
         *     }
         */
        ValueTagRequest: {
            tag: string;
            userId: string;
            value: string;
        };
        VariantFiguresResponse: {
            /** @description devices that chose an action or a link */
            clicked: number;
            /** @description devices */
            delivered: number;
            isWinner: boolean;
            name: string;
            /** @description devices */
            opened: number;
            /** @description devices */
            sent: number;
            /** @description users sent to who are still known */
            users: number;
            usersClicked: components["schemas"]["ShareResponse"];
            /** @description users with a conversion since then, by any message */
            usersConverted: components["schemas"]["ShareResponse"];
            usersOpened: components["schemas"]["ShareResponse"];
            weight: number;
        };
        /** @description the differences for a part of the users; the rest is as in the message */
        VariantRequest: {
            alertText?: string;
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            autoNotify?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            content?: string;
            /** @description any JSON */
            data?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean;
            /**
             * @description the message in other languages, by language tag (BCP 47); tags must differ by more than case
             * @example {
             *       "fa": {
             *         "content": "سلام"
             *       }
             *     }
             */
            localized?: {
                [key: string]: components["schemas"]["LocalizedContentRequest"];
            };
            /** @description unique among the variants */
            name: string;
            notification?: components["schemas"]["LocalizedNotificationRequest"];
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            silent?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            useAsAlert?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** @description the share of this variant is its weight among those of all */
            weight: number;
        };
        VariantResponse: {
            alertText?: string;
            autoNotify?: boolean;
            content?: string;
            data?: {
                [key: string]: unknown;
            } | unknown[] | string | number | boolean;
            localized?: {
                [key: string]: components["schemas"]["LocalizedContentResponse"];
            };
            name: string;
            notification?: components["schemas"]["NotificationResponse"];
            silent?: boolean;
            useAsAlert?: boolean;
            weight: number;
        };
        VendorCheckResponse: {
            code?: string;
            ok: boolean;
            reason?: string;
        };
        /**
         * Vendor credentials
         * @description The credentials of this vendor; unknown fields are ignored
         */
        VendorCredentials: components["schemas"]["FcmCredentialsRequest"] | components["schemas"]["ApnsCredentialsRequest"] | components["schemas"]["HmsCredentialsRequest"] | components["schemas"]["WebPushCredentialsRequest"] | components["schemas"]["TwilioCredentialsRequest"] | components["schemas"]["KavenegarCredentialsRequest"] | components["schemas"]["HttpSmsCredentialsRequest"];
        VendorErrorResponse: {
            /** Format: date-time */
            at: string;
            code: string;
            kind: string;
            reason: string;
        };
        VendorHealthResponse: {
            /** @description the current outage */
            breaker: components["schemas"]["VendorTroubleResponse"] | null;
            /** @description the problem with the credentials */
            credentials: components["schemas"]["VendorTroubleResponse"] | null;
            /** @description tokens that the vendor reported as dead; they are switched off later, unless the reports turn out to be a fault */
            deadTokens: components["schemas"]["DeadTokensResponse"] | null;
            hasCredentials: boolean;
            /** @description pages that wait for the vendor or for another attempt; at most 10,000 are counted */
            heldPages: number;
            lastError: components["schemas"]["VendorErrorResponse"] | null;
            /**
             * Format: date-time
             * @description when the next call is made
             */
            openUntil: string | null;
            quarantine: components["schemas"]["QuarantineResponse"] | null;
            /** Format: date-time */
            since: string | null;
            /**
             * @description the worst state of all workers; `failing`: all calls fail, but are still made; `unknown`: no worker uses it now
             * @enum {string}
             */
            state: "ok" | "failing" | "half-open" | "open" | "unknown";
            /** @enum {string} */
            vendor: "fcm" | "apns" | "hms" | "webpush" | "connection" | "sms";
            /** @description the devices on these pages */
            waitingDevices: number;
            workers: components["schemas"]["WorkerRouteResponse"][];
        };
        /** @description The settings of the credentials are in further fields; secrets are never returned. */
        VendorResponse: {
            /** @description the address for the reports of an SMS provider without signatures; only in the answer to storing its credentials */
            statusUrl?: string;
            /** Format: date-time */
            updatedAt?: string;
            /** @enum {string} */
            vendor: "fcm" | "apns" | "hms" | "webpush" | "sms";
        } & {
            [key: string]: unknown;
        };
        VendorsHealthResponse: {
            vendors: components["schemas"]["VendorHealthResponse"][];
        };
        VendorTroubleResponse: {
            code: string;
            reason: string;
            /** Format: date-time */
            since: string;
        };
        WaitingDevicesOverview: {
            devices: number;
            /** @enum {string} */
            vendor: "fcm" | "apns" | "hms" | "webpush";
        };
        WebhookAttemptResponse: {
            /** Format: date-time */
            at: string;
            durationMs: number;
            error: string | null;
            statusCode: number | null;
        };
        WebhookChangeRequest: {
            events?: ("message.done" | "delivery.failed" | "token.removed" | "fallback.sent" | "promo.low_stock" | "vendor.credentials_failing" | "vendor.breaker_opened" | "tokens.quarantined")[];
            /** @description 1, 0, "true", "false", "1" and "0" are accepted too */
            isEnabled?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            /** Format: uri */
            url?: string;
        };
        WebhookDeliveriesResponse: {
            deliveries: components["schemas"]["WebhookDeliveryResponse"][];
            /** @description the beginning of the next part; null at the end */
            nextCursor: string | null;
        };
        WebhookDeliveryResponse: {
            /** @description attempts since the event was created, or since it was sent again last */
            attempt: number;
            attempts: components["schemas"]["WebhookAttemptResponse"][];
            /** Format: date-time */
            createdAt: string;
            durationMs: number | null;
            /** Format: date-time */
            endedAt: string | null;
            error: string | null;
            /** Format: uuid */
            eventId: string;
            /**
             * Format: date-time
             * @description null while the webhook is switched off
             */
            nextTryAt: string | null;
            /** @enum {string} */
            state: "waiting" | "sending" | "delivered" | "failed";
            statusCode: number | null;
            type: string;
        };
        WebhookResponse: {
            /** Format: date-time */
            createdAt: string;
            /** @description why it was switched off automatically */
            disabledReason: string | null;
            events: ("message.done" | "delivery.failed" | "token.removed" | "fallback.sent" | "promo.low_stock" | "vendor.credentials_failing" | "vendor.breaker_opened" | "tokens.quarantined")[];
            /** Format: date-time */
            failingSince: string | null;
            /** @description failed attempts since the last successful one */
            failures: number;
            /**
             * Format: date-time
             * @description nothing is sent before this time
             */
            heldUntil: string | null;
            /** Format: uuid */
            id: string;
            isEnabled: boolean;
            lastError: string | null;
            /** Format: date-time */
            lastErrorAt: string | null;
            /** Format: date-time */
            lastSuccessAt: string | null;
            /** @description shown only in the answer that created the webhook */
            secret?: string;
            /** Format: date-time */
            updatedAt: string;
            url: string;
        };
        WebhookSecretResponse: {
            /**
             * Format: date-time
             * @description until then, events are also signed with the former secret; null: it cannot be read, and signs nothing
             */
            formerValidUntil: string | null;
            /** Format: uuid */
            id: string;
            secret: string;
        };
        WebhooksResponse: {
            webhooks: components["schemas"]["WebhookResponse"][];
        };
        WebhookTestResponse: {
            /** Format: uuid */
            eventId: string;
        };
        WebPushCredentialsRequest: {
            /** @description 32 bytes in base64url; a key pair is generated when neither key is sent */
            privateKey?: string;
            /** @description base64url; it belongs to privateKey */
            publicKey?: string;
            subject: string;
        };
        WinnerRequest: {
            /** @description seconds; less than ttl */
            after: number;
            /**
             * @description users who opened, or who clicked, of those sent to
             * @enum {string}
             */
            metric: "opened" | "clicked";
            /** @description the percentage of users who get variants; the others get the best one later */
            share: number;
        };
        WinnerResponse: {
            /** Format: date-time */
            decidedAt: string | null;
            /** @enum {string|null} */
            decidedBy: "figures" | "caller" | null;
            /**
             * Format: date-time
             * @description when it is chosen; null: before the campaign has left, or afterwards
             */
            dueAt: string | null;
            /** @enum {string} */
            metric: "opened" | "clicked";
            /** @description null: not chosen yet */
            variant: string | null;
        };
        WinnerRuleResponse: {
            /** @description seconds */
            after: number;
            /** @enum {string} */
            metric: "opened" | "clicked";
            share: number;
        };
        WorkerRouteResponse: {
            /**
             * Format: date-time
             * @description since when all calls have failed
             */
            failingSince: string | null;
            /** Format: date-time */
            heartbeatAt: string;
            inFlight: number;
            /** Format: date-time */
            openUntil: string | null;
            /** Format: date-time */
            since: string;
            /** @enum {string} */
            state: "closed" | "half-open" | "open";
            workerId: string;
        };
    };
    responses: {
        /** @description a bad field, parameter or path; `details` names each */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description the token's scopes do not cover the call, or the request names something that does not belong to the device */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description an unexpected error */
        InternalServerError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description `Accept` excludes the type of the answer */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description the path names something that does not exist, or the operator names an unknown application */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description the body is too large */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description the headers are too large */
        RequestHeaderFieldsTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description the body did not arrive in time */
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description the database is unavailable; nothing was done, unless `error.outcome` is `unknown` */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description over the request limit, too many large reads at once, or too many wrong tokens */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description the access token is missing, unknown, revoked or of another application, or two tokens differ; or a required `userHash` is missing or wrong */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description the body is of another type, in another charset, or compressed */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description The name that a browser gives the file (RFC 6266) */
        "Content-Disposition": string;
        /** @description The number of seconds after which the request may be made again */
        "Retry-After": number;
        /** @description The kind of credentials to give (RFC 9110, 11.6.1) */
        "WWW-Authenticate": string;
        /** @description The id of the request in the logs: what the caller gave in `X-Request-Id`, or a new one */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type AcceptedImportResponse = components['schemas']['AcceptedImportResponse'];
export type AcceptedPromoUploadResponse = components['schemas']['AcceptedPromoUploadResponse'];
export type AcceptedTagFileResponse = components['schemas']['AcceptedTagFileResponse'];
export type ActionPreviewResponse = components['schemas']['ActionPreviewResponse'];
export type ActionRequest = components['schemas']['ActionRequest'];
export type ActionTotal = components['schemas']['ActionTotal'];
export type ApnsCredentialsRequest = components['schemas']['ApnsCredentialsRequest'];
export type ApplicationChangesRequest = components['schemas']['ApplicationChangesRequest'];
export type ApplicationResponse = components['schemas']['ApplicationResponse'];
export type AppliedQuarantineResponse = components['schemas']['AppliedQuarantineResponse'];
export type ArchiveImportResponse = components['schemas']['ArchiveImportResponse'];
export type ArchiveProblemResponse = components['schemas']['ArchiveProblemResponse'];
export type AttentionResponse = components['schemas']['AttentionResponse'];
export type AttributeIncrement = components['schemas']['AttributeIncrement'];
export type AttributesRequest = components['schemas']['AttributesRequest'];
export type BehaviorEventRequest = components['schemas']['BehaviorEventRequest'];
export type CampaignDayResponse = components['schemas']['CampaignDayResponse'];
export type CampaignDaysResponse = components['schemas']['CampaignDaysResponse'];
export type CampaignEngagementResponse = components['schemas']['CampaignEngagementResponse'];
export type CampaignsResponse = components['schemas']['CampaignsResponse'];
export type CampaignSummaryResponse = components['schemas']['CampaignSummaryResponse'];
export type CampaignTestResponse = components['schemas']['CampaignTestResponse'];
export type ChannelListResponse = components['schemas']['ChannelListResponse'];
export type ChannelMemberListResponse = components['schemas']['ChannelMemberListResponse'];
export type ChannelMemberResponse = components['schemas']['ChannelMemberResponse'];
export type ChannelMembersRequest = components['schemas']['ChannelMembersRequest'];
export type ChannelResponse = components['schemas']['ChannelResponse'];
export type ChosenWinnerRequest = components['schemas']['ChosenWinnerRequest'];
export type CountGroupRequest = components['schemas']['CountGroupRequest'];
export type CountResponse = components['schemas']['CountResponse'];
export type DeadTokensResponse = components['schemas']['DeadTokensResponse'];
export type DeferredLinkRequest = components['schemas']['DeferredLinkRequest'];
export type DeleteOptedOutNumberAnswer = components['schemas']['DeleteOptedOutNumberAnswer'];
export type DeleteVendorCredentialsAnswer = components['schemas']['DeleteVendorCredentialsAnswer'];
export type DeliveriesResponse = components['schemas']['DeliveriesResponse'];
export type DeliveryResponse = components['schemas']['DeliveryResponse'];
export type DeviceEventsRequest = components['schemas']['DeviceEventsRequest'];
export type DevicePreviewResponse = components['schemas']['DevicePreviewResponse'];
export type DevicesOverview = components['schemas']['DevicesOverview'];
export type DeviceTokenRequest = components['schemas']['DeviceTokenRequest'];
export type DeviceTypeOverview = components['schemas']['DeviceTypeOverview'];
export type DraftChangesRequest = components['schemas']['DraftChangesRequest'];
export type DraftCopyRequest = components['schemas']['DraftCopyRequest'];
export type DraftRequest = components['schemas']['DraftRequest'];
export type DraftResponse = components['schemas']['DraftResponse'];
export type DraftsResponse = components['schemas']['DraftsResponse'];
export type DraftSummaryResponse = components['schemas']['DraftSummaryResponse'];
export type EngagementAt = components['schemas']['EngagementAt'];
export type EngagementTotals = components['schemas']['EngagementTotals'];
export type ErasureResponse = components['schemas']['ErasureResponse'];
export type Error = components['schemas']['Error'];
export type ExplainedDeviceResponse = components['schemas']['ExplainedDeviceResponse'];
export type ExplainGroupRequest = components['schemas']['ExplainGroupRequest'];
export type FallbackRequest = components['schemas']['FallbackRequest'];
export type FallbackResponse = components['schemas']['FallbackResponse'];
export type FallbacksResponse = components['schemas']['FallbacksResponse'];
export type FcmCredentialsRequest = components['schemas']['FcmCredentialsRequest'];
export type FirstStepsOverview = components['schemas']['FirstStepsOverview'];
export type FirstTokensResponse = components['schemas']['FirstTokensResponse'];
export type FrequencyCapRequest = components['schemas']['FrequencyCapRequest'];
export type FrequencyCapResponse = components['schemas']['FrequencyCapResponse'];
export type GetCampaignAnswer = components['schemas']['GetCampaignAnswer'];
export type GroupRequest = components['schemas']['GroupRequest'];
export type HmsCredentialsRequest = components['schemas']['HmsCredentialsRequest'];
export type HoldoutResponse = components['schemas']['HoldoutResponse'];
export type HttpSmsCredentialsRequest = components['schemas']['HttpSmsCredentialsRequest'];
export type IdentityKeyResponse = components['schemas']['IdentityKeyResponse'];
export type ImportErrorResponse = components['schemas']['ImportErrorResponse'];
export type ImportResponse = components['schemas']['ImportResponse'];
export type ImportsResponse = components['schemas']['ImportsResponse'];
export type ImportSummaryResponse = components['schemas']['ImportSummaryResponse'];
export type ImportValidationResponse = components['schemas']['ImportValidationResponse'];
export type InboxMessageResponse = components['schemas']['InboxMessageResponse'];
export type InboxNotificationResponse = components['schemas']['InboxNotificationResponse'];
export type InboxResponse = components['schemas']['InboxResponse'];
export type IncrementRequest = components['schemas']['IncrementRequest'];
export type InstallationResponse = components['schemas']['InstallationResponse'];
export type KavenegarCredentialsRequest = components['schemas']['KavenegarCredentialsRequest'];
export type LinkEventRequest = components['schemas']['LinkEventRequest'];
export type LinkTotal = components['schemas']['LinkTotal'];
export type ListApplicationsAnswer = components['schemas']['ListApplicationsAnswer'];
export type ListedUserResponse = components['schemas']['ListedUserResponse'];
export type ListInstallationsAnswer = components['schemas']['ListInstallationsAnswer'];
export type ListTagsAnswer = components['schemas']['ListTagsAnswer'];
export type ListTokensAnswer = components['schemas']['ListTokensAnswer'];
export type ListVendorsAnswer = components['schemas']['ListVendorsAnswer'];
export type LocalizedContentRequest = components['schemas']['LocalizedContentRequest'];
export type LocalizedContentResponse = components['schemas']['LocalizedContentResponse'];
export type LocalizedFallbackRequest = components['schemas']['LocalizedFallbackRequest'];
export type LocalizedFallbackResponse = components['schemas']['LocalizedFallbackResponse'];
export type LocalizedNotificationRequest = components['schemas']['LocalizedNotificationRequest'];
export type LocationRequest = components['schemas']['LocationRequest'];
export type MessageChangesRequest = components['schemas']['MessageChangesRequest'];
export type MessageContentResponse = components['schemas']['MessageContentResponse'];
export type MessageDeviceResponse = components['schemas']['MessageDeviceResponse'];
export type MessageDevicesResponse = components['schemas']['MessageDevicesResponse'];
export type MessageFallbackResponse = components['schemas']['MessageFallbackResponse'];
export type MessageResponse = components['schemas']['MessageResponse'];
export type MessagesResponse = components['schemas']['MessagesResponse'];
export type MessageSummaryResponse = components['schemas']['MessageSummaryResponse'];
export type NewApplicationRequest = components['schemas']['NewApplicationRequest'];
export type NewApplicationResponse = components['schemas']['NewApplicationResponse'];
export type NewCampaignRequest = components['schemas']['NewCampaignRequest'];
export type NewIdentityKeyRequest = components['schemas']['NewIdentityKeyRequest'];
export type NewSecretRequest = components['schemas']['NewSecretRequest'];
export type NewTokenRequest = components['schemas']['NewTokenRequest'];
export type NewTokenResponse = components['schemas']['NewTokenResponse'];
export type NewTrackerRequest = components['schemas']['NewTrackerRequest'];
export type NewWebhookRequest = components['schemas']['NewWebhookRequest'];
export type NotificationActionResponse = components['schemas']['NotificationActionResponse'];
export type NotificationRequest = components['schemas']['NotificationRequest'];
export type NotificationResponse = components['schemas']['NotificationResponse'];
export type NotifyUsersBody = components['schemas']['NotifyUsersBody'];
export type OnlineOverview = components['schemas']['OnlineOverview'];
export type OpenedLinkResponse = components['schemas']['OpenedLinkResponse'];
export type OptedOutNumberResponse = components['schemas']['OptedOutNumberResponse'];
export type OptedOutNumbersResponse = components['schemas']['OptedOutNumbersResponse'];
export type OverviewResponse = components['schemas']['OverviewResponse'];
export type PlannedCampaignResponse = components['schemas']['PlannedCampaignResponse'];
export type PresenceResponse = components['schemas']['PresenceResponse'];
export type PreviewProblemResponse = components['schemas']['PreviewProblemResponse'];
export type PreviewRequest = components['schemas']['PreviewRequest'];
export type PreviewResponse = components['schemas']['PreviewResponse'];
export type PromoAssignmentResponse = components['schemas']['PromoAssignmentResponse'];
export type PromoAssignmentsResponse = components['schemas']['PromoAssignmentsResponse'];
export type PromoFileRequest = components['schemas']['PromoFileRequest'];
export type PromoJobResponse = components['schemas']['PromoJobResponse'];
export type PromoSetChangeRequest = components['schemas']['PromoSetChangeRequest'];
export type PromoSetResponse = components['schemas']['PromoSetResponse'];
export type PromoSetsResponse = components['schemas']['PromoSetsResponse'];
export type PromoUploadResponse = components['schemas']['PromoUploadResponse'];
export type QuarantineResponse = components['schemas']['QuarantineResponse'];
export type QuietHoursRequest = components['schemas']['QuietHoursRequest'];
export type QuietHoursResponse = components['schemas']['QuietHoursResponse'];
export type ReachableDeviceResponse = components['schemas']['ReachableDeviceResponse'];
export type ReceiptEventRequest = components['schemas']['ReceiptEventRequest'];
export type RefusedTagLineResponse = components['schemas']['RefusedTagLineResponse'];
export type RegistrationRequest = components['schemas']['RegistrationRequest'];
export type ReleasedQuarantineResponse = components['schemas']['ReleasedQuarantineResponse'];
export type Removed = components['schemas']['Removed'];
export type RevenueTotal = components['schemas']['RevenueTotal'];
export type RouteRetryResponse = components['schemas']['RouteRetryResponse'];
export type RuleAnswerResponse = components['schemas']['RuleAnswerResponse'];
export type RuleEffectResponse = components['schemas']['RuleEffectResponse'];
export type SampledDeviceResponse = components['schemas']['SampledDeviceResponse'];
export type SavedSegmentReference = components['schemas']['SavedSegmentReference'];
export type SegmentChangesRequest = components['schemas']['SegmentChangesRequest'];
export type SegmentCountResponse = components['schemas']['SegmentCountResponse'];
export type SegmentExplanationResponse = components['schemas']['SegmentExplanationResponse'];
export type SegmentFieldResponse = components['schemas']['SegmentFieldResponse'];
export type SegmentFieldsResponse = components['schemas']['SegmentFieldsResponse'];
export type SegmentFieldValueResponse = components['schemas']['SegmentFieldValueResponse'];
export type SegmentGroup = components['schemas']['SegmentGroup'];
export type SegmentRequest = components['schemas']['SegmentRequest'];
export type SegmentResponse = components['schemas']['SegmentResponse'];
export type SegmentRule = components['schemas']['SegmentRule'];
export type SegmentSizeResponse = components['schemas']['SegmentSizeResponse'];
export type SegmentSizesResponse = components['schemas']['SegmentSizesResponse'];
export type SegmentsResponse = components['schemas']['SegmentsResponse'];
export type SendLanguageResponse = components['schemas']['SendLanguageResponse'];
export type SendResponse = components['schemas']['SendResponse'];
export type SendsOverview = components['schemas']['SendsOverview'];
export type SendSpanResponse = components['schemas']['SendSpanResponse'];
export type SendToGroupRequest = components['schemas']['SendToGroupRequest'];
export type SendToUserRequest = components['schemas']['SendToUserRequest'];
export type SendToUsersRequest = components['schemas']['SendToUsersRequest'];
export type ServiceAccountRequest = components['schemas']['ServiceAccountRequest'];
export type ShareResponse = components['schemas']['ShareResponse'];
export type SkipsOverview = components['schemas']['SkipsOverview'];
export type SmsPreviewResponse = components['schemas']['SmsPreviewResponse'];
export type SmsReportResponse = components['schemas']['SmsReportResponse'];
export type StatsListResponse = components['schemas']['StatsListResponse'];
export type StatsResponse = components['schemas']['StatsResponse'];
export type TagJobResponse = components['schemas']['TagJobResponse'];
export type TagOfUserRequest = components['schemas']['TagOfUserRequest'];
export type TagsRequest = components['schemas']['TagsRequest'];
export type TemplateChangesRequest = components['schemas']['TemplateChangesRequest'];
export type TemplateRequest = components['schemas']['TemplateRequest'];
export type TemplateResponse = components['schemas']['TemplateResponse'];
export type TemplateRestoreRequest = components['schemas']['TemplateRestoreRequest'];
export type TemplatesResponse = components['schemas']['TemplatesResponse'];
export type TemplateSummaryResponse = components['schemas']['TemplateSummaryResponse'];
export type TemplateVariable = components['schemas']['TemplateVariable'];
export type TemplateVariableResponse = components['schemas']['TemplateVariableResponse'];
export type TemplateVersionResponse = components['schemas']['TemplateVersionResponse'];
export type TemplateVersionsResponse = components['schemas']['TemplateVersionsResponse'];
export type TemplateWarningResponse = components['schemas']['TemplateWarningResponse'];
export type TestFiguresResponse = components['schemas']['TestFiguresResponse'];
export type TextWarningResponse = components['schemas']['TextWarningResponse'];
export type ThroughputOverview = components['schemas']['ThroughputOverview'];
export type ThroughputPoint = components['schemas']['ThroughputPoint'];
export type TokenResponse = components['schemas']['TokenResponse'];
export type ToUsersBody = components['schemas']['ToUsersBody'];
export type TrackBulkBody = components['schemas']['TrackBulkBody'];
export type TrackerChangesRequest = components['schemas']['TrackerChangesRequest'];
export type TrackerPlatforms = components['schemas']['TrackerPlatforms'];
export type TrackerResponse = components['schemas']['TrackerResponse'];
export type TrackersResponse = components['schemas']['TrackersResponse'];
export type TrackerStatsResponse = components['schemas']['TrackerStatsResponse'];
export type TrackerTotals = components['schemas']['TrackerTotals'];
export type TrackerTotalsAt = components['schemas']['TrackerTotalsAt'];
export type TrackPurchaseRequest = components['schemas']['TrackPurchaseRequest'];
export type TrackRequest = components['schemas']['TrackRequest'];
export type TrackResponse = components['schemas']['TrackResponse'];
export type TrackRevenueRequest = components['schemas']['TrackRevenueRequest'];
export type TwilioCredentialsRequest = components['schemas']['TwilioCredentialsRequest'];
export type UninstallReportResponse = components['schemas']['UninstallReportResponse'];
export type UninstallResponse = components['schemas']['UninstallResponse'];
export type UnlistedTotals = components['schemas']['UnlistedTotals'];
export type UpdateUserInfoAnswer = components['schemas']['UpdateUserInfoAnswer'];
export type UserDeliveryListResponse = components['schemas']['UserDeliveryListResponse'];
export type UserDeliveryResponse = components['schemas']['UserDeliveryResponse'];
export type UserDeviceResponse = components['schemas']['UserDeviceResponse'];
export type UserExportResponse = components['schemas']['UserExportResponse'];
export type UserInfoMetaRequest = components['schemas']['UserInfoMetaRequest'];
export type UserInfoRequest = components['schemas']['UserInfoRequest'];
export type UserListResponse = components['schemas']['UserListResponse'];
export type UserPreviewResponse = components['schemas']['UserPreviewResponse'];
export type UserResponse = components['schemas']['UserResponse'];
export type UserUninstallResponse = components['schemas']['UserUninstallResponse'];
export type ValueTagRequest = components['schemas']['ValueTagRequest'];
export type VariantFiguresResponse = components['schemas']['VariantFiguresResponse'];
export type VariantRequest = components['schemas']['VariantRequest'];
export type VariantResponse = components['schemas']['VariantResponse'];
export type VendorCheckResponse = components['schemas']['VendorCheckResponse'];
export type VendorCredentials = components['schemas']['VendorCredentials'];
export type VendorErrorResponse = components['schemas']['VendorErrorResponse'];
export type VendorHealthResponse = components['schemas']['VendorHealthResponse'];
export type VendorResponse = components['schemas']['VendorResponse'];
export type VendorsHealthResponse = components['schemas']['VendorsHealthResponse'];
export type VendorTroubleResponse = components['schemas']['VendorTroubleResponse'];
export type WaitingDevicesOverview = components['schemas']['WaitingDevicesOverview'];
export type WebhookAttemptResponse = components['schemas']['WebhookAttemptResponse'];
export type WebhookChangeRequest = components['schemas']['WebhookChangeRequest'];
export type WebhookDeliveriesResponse = components['schemas']['WebhookDeliveriesResponse'];
export type WebhookDeliveryResponse = components['schemas']['WebhookDeliveryResponse'];
export type WebhookResponse = components['schemas']['WebhookResponse'];
export type WebhookSecretResponse = components['schemas']['WebhookSecretResponse'];
export type WebhooksResponse = components['schemas']['WebhooksResponse'];
export type WebhookTestResponse = components['schemas']['WebhookTestResponse'];
export type WebPushCredentialsRequest = components['schemas']['WebPushCredentialsRequest'];
export type WinnerRequest = components['schemas']['WinnerRequest'];
export type WinnerResponse = components['schemas']['WinnerResponse'];
export type WinnerRuleResponse = components['schemas']['WinnerRuleResponse'];
export type WorkerRouteResponse = components['schemas']['WorkerRouteResponse'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseInternalServerError = components['responses']['InternalServerError'];
export type ResponseNotAcceptable = components['responses']['NotAcceptable'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseRequestHeaderFieldsTooLarge = components['responses']['RequestHeaderFieldsTooLarge'];
export type ResponseRequestTimeout = components['responses']['RequestTimeout'];
export type ResponseServiceUnavailable = components['responses']['ServiceUnavailable'];
export type ResponseTooManyRequests = components['responses']['TooManyRequests'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type HeaderContentDisposition = components['headers']['Content-Disposition'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type HeaderXRequestId = components['headers']['X-Request-Id'];
export type $defs = Record<string, never>;
export interface operations {
    listApplications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListApplicationsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createApplication: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApplicationRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApplicationResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description an application with this id exists */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Removed"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateApplication: {
        parameters: {
            query?: {
                /** @description change the settings only while they have this revision; if they have another one by now, the answer is 409 */
                revision?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApplicationChangesRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the application has another revision than the one named (`error.current` is the application now), or is being removed; nothing was changed */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/gzip": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    importApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArchiveImportResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the application would have too many segments, templates or drafts, or is being removed */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOptedOutNumbers: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OptedOutNumbersResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteOptedOutNumber: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                phone: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteOptedOutNumberAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateIdentityKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewIdentityKeyRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityKeyResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the application is being removed */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTokens: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTokensAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTokenRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewTokenResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the application is being removed */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                tokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Removed"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listVendors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListVendorsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    putVendorCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                vendor: "fcm" | "apns" | "hms" | "webpush" | "sms";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VendorCredentials"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VendorResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the application is being removed, or the VAPID pair that is to be kept cannot be decrypted */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteVendorCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                vendor: "fcm" | "apns" | "hms" | "webpush" | "sms";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteVendorCredentialsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resetBreaker: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                vendor: "fcm" | "apns" | "hms" | "webpush" | "sms";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RouteRetryResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    checkVendorCredentials: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                vendor: "fcm" | "apns" | "hms" | "webpush" | "sms";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VendorCheckResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    applyQuarantine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                vendor: "fcm" | "apns" | "hms" | "webpush" | "sms";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppliedQuarantineResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    releaseQuarantine: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                vendor: "fcm" | "apns" | "hms" | "webpush" | "sms";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleasedQuarantineResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getVendorsHealth: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VendorsHealthResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listChannels: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description sport or public/sport; /private/alerts */
                channel: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listChannelMembers: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description sport or public/sport; /private/alerts */
                channel: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelMemberListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addChannelMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description sport or public/sport; /private/alerts */
                channel: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelMembersRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeChannelMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description sport or public/sport; /private/alerts */
                channel: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelMembersRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateGlobalPromoCodes: {
        parameters: {
            query?: {
                /** @description answer 202 with a job id as soon as the file is received; 1, 0, "true", "false", "1" and "0" are accepted too */
                async?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["PromoFileRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromoUploadResponse"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedPromoUploadResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updatePromoCodes: {
        parameters: {
            query?: {
                /** @description answer 202 with a job id as soon as the file is received; 1, 0, "true", "false", "1" and "0" are accepted too */
                async?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            };
            header?: never;
            path: {
                track_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["PromoFileRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromoUploadResponse"];
                };
            };
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedPromoUploadResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDrafts: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                /** @description only those with this text in their name; upper and lower case are the same */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createDraft: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DraftRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the application has the maximum number of drafts */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DraftChangesRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description someone else has saved it since: `error.current` is the draft now */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteDraft: {
        parameters: {
            query?: {
                /** @description delete the draft only while it has this revision */
                revision?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Removed"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description it has another revision than the one named */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    duplicateDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DraftCopyRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the application has the maximum number of drafts */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInstallations: {
        parameters: {
            query: {
                /** @description JSON that names at most 100 installations */
                filter: string;
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListInstallationsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    register: {
        parameters: {
            query?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegistrationRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstallationResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getInstallation: {
        parameters: {
            query?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstallationResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceInstallation: {
        parameters: {
            query?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegistrationRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstallationResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteInstallation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listInbox: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InboxResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteInboxMessage: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path: {
                id: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    markInboxMessageRead: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path: {
                id: string;
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    markInboxRead: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPresence: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PresenceResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tag: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addTags: {
        parameters: {
            query?: {
                /** @description the device that makes the request, with a token of the scope `devices`; may be in the body instead */
                installationId?: string;
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    addValueTag: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ValueTagRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttributesRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    uploadTagFile: {
        parameters: {
            query?: {
                /** @description the operation of lines that name none */
                operation?: "add" | "remove";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
                "text/csv": string;
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedTagFileResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTagJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TagJobResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    decideDeferredDeepLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeferredLinkRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reportEvents: {
        parameters: {
            query?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceEventsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listImports: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    importDevices: {
        parameters: {
            query?: {
                /** @description by default recognised by the header or the first object */
                format?: "onesignal" | "parse" | "sns" | "pinpoint" | "webpush" | "tokens";
                /** @description true if the first line of a CSV file names its columns; otherwise they have numbers from 1; 1, 0, "true", "false", "1" and "0" are accepted too */
                header?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
                /** @description JSON of `{ <field>: <column> | { "value": … } }`. Fields are those of a registration, `tags.<key>` and `attributes.<name>` */
                mapping?: string;
                /** @description the name of the file, by which the list of imports shows it */
                name?: string;
                /** @description of lists that do not say it */
                pushType?: "fcm" | "apns" | "hms" | "webpush";
                /** @description true to ask FCM about each of its tokens first, by a message that reaches no device; 1, 0, "true", "false", "1" and "0" are accepted too */
                validate?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
                /** @description with `validate`: how many tokens FCM is asked about in a second; by default 100 */
                validationRate?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-ndjson": string;
                "text/csv": string;
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedImportResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listImportErrors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    incrementAttribute: {
        parameters: {
            query?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IncrementRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateUserInfoAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeTag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                tag: string;
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeTags: {
        parameters: {
            query?: {
                /** @description the device that makes the request, with a token of the scope `devices`; may be in the body instead */
                installationId?: string;
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    removeValueTag: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagOfUserRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTags: {
        parameters: {
            query?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListTagsAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    track: {
        parameters: {
            query?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description 1-255 printable characters; the same key and body within 24 hours is recorded once */
                "Idempotency-Key"?: string;
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description a request with this Idempotency-Key is still running */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description this Idempotency-Key was used for another request */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    trackBulk: {
        parameters: {
            query?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description 1-255 printable characters; the same key and body within 24 hours is recorded once */
                "Idempotency-Key"?: string;
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackBulkBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description a request with this Idempotency-Key is still running */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description this Idempotency-Key was used for another request */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    trackPurchase: {
        parameters: {
            query?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description 1-255 printable characters; the same key and body within 24 hours is recorded once */
                "Idempotency-Key"?: string;
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackPurchaseRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description a request with this Idempotency-Key is still running */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description this Idempotency-Key was used for another request */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    trackRevenue: {
        parameters: {
            query?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description 1-255 printable characters; the same key and body within 24 hours is recorded once */
                "Idempotency-Key"?: string;
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackRevenueRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description a request with this Idempotency-Key is still running */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description this Idempotency-Key was used for another request */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateDeviceToken: {
        parameters: {
            query?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceTokenRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstallationResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateUserInfo: {
        parameters: {
            query?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                userHash?: string;
            };
            header?: {
                /** @description The hash of the user's id, which proves the user: needed where the application requires it or protects attributes */
                "X-User-Hash"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserInfoRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateUserInfoAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUninstallReport: {
        parameters: {
            query?: {
                /** @description entries to answer at most */
                limit?: number;
                /** @description entries to pass over */
                offset?: number;
                /** @description churn: only devices whose user has no other reachable device now */
                type?: "churn" | "";
            };
            header?: never;
            path: {
                /** @description ISO 8601, or milliseconds since 1970 */
                from: string | number;
                /** @description ISO 8601, or milliseconds since 1970 */
                to: string | number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UninstallReportResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description the span takes too long to look through */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPromoJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromoJobResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPromoSets: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description `true`: only sets that are in force; `false`: only other sets; 1, 0, "true", "false", "1" and "0" are accepted too */
                inForce?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
                /** @description the maximum number of entries in the answer */
                limit?: number;
                trackId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromoSetsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPromoSet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromoSetResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changePromoSet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromoSetChangeRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromoSetResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the set is no longer in force */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPromoAssignments: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                /** @description only the codes that this message assigned */
                message?: string;
                /** @description only the codes of this user */
                user?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromoAssignmentsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportPromoAssignments: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                /** @description only the codes that this message assigned */
                message?: string;
                /** @description only the codes of this user */
                user?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    byQueryInLowerCase: {
        parameters: {
            query?: {
                /** @description validate and count only */
                dryRun?: boolean;
            };
            header?: {
                /** @description 1-255 printable characters; the same key and body within 24 hours sends once */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendToGroupRequest"];
            };
        };
        responses: {
            /** @description accepted: the number of devices the message is sent to */
            200: {
                headers: {
                    /** @description `true` when this is the kept answer to an earlier request */
                    "Idempotent-Replayed"?: string;
                    /** @description the id of the batch: all messages of an array have it */
                    "X-Batch-Id"?: string;
                    /** @description the ids of the first 20 messages */
                    "X-Message-Id"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 3
                     *     }
                     */
                    "application/json": components["schemas"]["SendResponse"];
                };
            };
            /** @description bad fields, each named in `details`; nothing is sent */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description the access token is missing, unknown, revoked or of another application */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description the token lacks the scope `send` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description a request with this Idempotency-Key is still running, or the audience differs from `expectedCount` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description this Idempotency-Key was used for another request */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description over the request limit; see `Retry-After` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            /** @description the database is unavailable; nothing was done, unless `error.outcome` is `unknown`; see `Retry-After` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    byQuery: {
        parameters: {
            query?: {
                /** @description validate and count only */
                dryRun?: boolean;
            };
            header?: {
                /** @description 1-255 printable characters; the same key and body within 24 hours sends once */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SendToGroupRequest"];
            };
        };
        responses: {
            /** @description accepted: the number of devices the message is sent to */
            200: {
                headers: {
                    /** @description `true` when this is the kept answer to an earlier request */
                    "Idempotent-Replayed"?: string;
                    /** @description the id of the batch: all messages of an array have it */
                    "X-Batch-Id"?: string;
                    /** @description the ids of the first 20 messages */
                    "X-Message-Id"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 3
                     *     }
                     */
                    "application/json": components["schemas"]["SendResponse"];
                };
            };
            /** @description bad fields, each named in `details`; nothing is sent */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description the access token is missing, unknown, revoked or of another application */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description the token lacks the scope `send` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description a request with this Idempotency-Key is still running, or the audience differs from `expectedCount` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description this Idempotency-Key was used for another request */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description over the request limit; see `Retry-After` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            /** @description the database is unavailable; nothing was done, unless `error.outcome` is `unknown`; see `Retry-After` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description the `X-Batch-Id` of an earlier answer */
                batchId?: string;
                /** @description sport or public/sport; /private/alerts */
                channel?: string;
                clientId?: string;
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description accepted, or scheduled for a time, from this moment on; ISO 8601, or milliseconds since 1970 */
                from?: string | number;
                kind?: "users" | "query" | "notify";
                /** @description a tag of `localized`, of the message or of a variant; case does not matter */
                language?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                status?: "accepted" | "sending" | "done" | "cancelled";
                /** @description made from this template */
                templateId?: string;
                /** @description accepted, or scheduled for a time, before this moment; ISO 8601, or milliseconds since 1970 */
                to?: string | number;
                trackId?: string;
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCampaignRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlannedCampaignResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description a campaign with this `trackId` exists */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCampaign: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetCampaignAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeCampaign: {
        parameters: {
            query?: {
                /** @description change the message only while it has this revision; if it has another one by now, the answer is 409 */
                revision?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageChangesRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the campaign has left, was cancelled or is not scheduled, or has another revision than the one named (`error.current` is the campaign now); nothing was changed */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getCampaignStats: {
        parameters: {
            query?: {
                /** @description replaces the header `Accept` */
                format?: "json" | "csv";
                /** @description a full hour in UTC; ISO 8601, or milliseconds since 1970 */
                from?: string | number;
                interval?: "hour" | "day";
                /** @description a full hour in UTC after from; ISO 8601, or milliseconds since 1970 */
                to?: string | number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsResponse"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCampaignStats: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description a full hour in UTC; ISO 8601, or milliseconds since 1970 */
                from?: string | number;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                /** @description a full hour in UTC after from; ISO 8601, or milliseconds since 1970 */
                to?: string | number;
            };
            header?: never;
            path: {
                id: string;
                list: "actions" | "links" | "revenue";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    chooseWinner: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChosenWinnerRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the winner was chosen before, or there is none to choose */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMessages: {
        parameters: {
            query?: {
                /** @description the `X-Batch-Id` of an earlier answer */
                batchId?: string;
                /** @description sport or public/sport; /private/alerts */
                channel?: string;
                clientId?: string;
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description accepted, or scheduled for a time, from this moment on; ISO 8601, or milliseconds since 1970 */
                from?: string | number;
                kind?: "users" | "query" | "notify";
                /** @description a tag of `localized`, of the message or of a variant; case does not matter */
                language?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                status?: "accepted" | "sending" | "done" | "cancelled";
                /** @description made from this template */
                templateId?: string;
                /** @description accepted, or scheduled for a time, before this moment; ISO 8601, or milliseconds since 1970 */
                to?: string | number;
                trackId?: string;
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changeMessage: {
        parameters: {
            query?: {
                /** @description change the message only while it has this revision; if it has another one by now, the answer is 409 */
                revision?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageChangesRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the message has left, was cancelled or is not scheduled, or has another revision than the one named (`error.current` is the message now); nothing was changed */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the message is done */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description sent in this language: a tag of `localized`, or `default`; deliveries that were not sent are left out */
                language?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                state?: "pending" | "sent" | "delivered" | "shown" | "dismissed" | "opened" | "failed" | "expired" | "skipped" | "cancelled";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveriesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description looking for a language takes too long */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportDeliveries: {
        parameters: {
            query?: {
                /** @description sent in this language: a tag of `localized`, or `default`; deliveries that were not sent are left out */
                language?: string;
                state?: "pending" | "sent" | "delivered" | "shown" | "dismissed" | "opened" | "failed" | "expired" | "skipped" | "cancelled";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description looking for a language takes too long */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMessageDevices: {
        parameters: {
            query: {
                /** @description the user whose devices are listed */
                userId: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageDevicesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMessageDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                installationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageDeviceResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listFallbacks: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                state?: "waiting" | "sending" | "sent" | "delivered" | "undelivered" | "unknown" | "confirmed" | "failed" | "no_phone" | "expired" | "cancelled";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FallbacksResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMessageStats: {
        parameters: {
            query?: {
                /** @description replaces the header `Accept` */
                format?: "json" | "csv";
                /** @description a full hour in UTC; ISO 8601, or milliseconds since 1970 */
                from?: string | number;
                interval?: "hour" | "day";
                /** @description a full hour in UTC after from; ISO 8601, or milliseconds since 1970 */
                to?: string | number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsResponse"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listMessageStats: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description a full hour in UTC; ISO 8601, or milliseconds since 1970 */
                from?: string | number;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                /** @description a full hour in UTC after from; ISO 8601, or milliseconds since 1970 */
                to?: string | number;
            };
            header?: never;
            path: {
                id: string;
                list: "actions" | "links" | "revenue";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatsListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    notifyToUsers: {
        parameters: {
            query?: {
                /** @description validate and count only */
                dryRun?: boolean;
            };
            header?: {
                /** @description 1-255 printable characters; the same key and body within 24 hours sends once */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotifyUsersBody"];
            };
        };
        responses: {
            /** @description accepted: the number of devices the message is sent to */
            200: {
                headers: {
                    /** @description `true` when this is the kept answer to an earlier request */
                    "Idempotent-Replayed"?: string;
                    /** @description the id of the batch: all messages of an array have it */
                    "X-Batch-Id"?: string;
                    /** @description the ids of the first 20 messages */
                    "X-Message-Id"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 3
                     *     }
                     */
                    "application/json": components["schemas"]["SendResponse"];
                };
            };
            /** @description bad fields, each named in `details`; nothing is sent */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description the access token is missing, unknown, revoked or of another application */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description the token lacks the scope `send` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description a request with this Idempotency-Key is still running, or the audience differs from `expectedCount` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description this Idempotency-Key was used for another request */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description over the request limit; see `Retry-After` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            /** @description the database is unavailable; nothing was done, unless `error.outcome` is `unknown`; see `Retry-After` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    notifyUser: {
        parameters: {
            query?: {
                /** @description validate and count only */
                dryRun?: boolean;
            };
            header?: {
                /** @description 1-255 printable characters; the same key and body within 24 hours sends once */
                "Idempotency-Key"?: string;
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationRequest"];
            };
        };
        responses: {
            /** @description accepted: the number of devices the message is sent to */
            200: {
                headers: {
                    /** @description `true` when this is the kept answer to an earlier request */
                    "Idempotent-Replayed"?: string;
                    /** @description the id of the batch: all messages of an array have it */
                    "X-Batch-Id"?: string;
                    /** @description the ids of the first 20 messages */
                    "X-Message-Id"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 3
                     *     }
                     */
                    "application/json": components["schemas"]["SendResponse"];
                };
            };
            /** @description bad fields, each named in `details`; nothing is sent */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description the access token is missing, unknown, revoked or of another application */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description the token lacks the scope `send` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description a request with this Idempotency-Key is still running, or the audience differs from `expectedCount` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description this Idempotency-Key was used for another request */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description over the request limit; see `Retry-After` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            /** @description the database is unavailable; nothing was done, unless `error.outcome` is `unknown`; see `Retry-After` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    notifyUsers: {
        parameters: {
            query?: {
                /** @description validate and count only */
                dryRun?: boolean;
            };
            header?: {
                /** @description 1-255 printable characters; the same key and body within 24 hours sends once */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotifyUsersBody"];
            };
        };
        responses: {
            /** @description accepted: the number of devices the message is sent to */
            200: {
                headers: {
                    /** @description `true` when this is the kept answer to an earlier request */
                    "Idempotent-Replayed"?: string;
                    /** @description the id of the batch: all messages of an array have it */
                    "X-Batch-Id"?: string;
                    /** @description the ids of the first 20 messages */
                    "X-Message-Id"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 3
                     *     }
                     */
                    "application/json": components["schemas"]["SendResponse"];
                };
            };
            /** @description bad fields, each named in `details`; nothing is sent */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description the access token is missing, unknown, revoked or of another application */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description the token lacks the scope `send` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description a request with this Idempotency-Key is still running, or the audience differs from `expectedCount` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description this Idempotency-Key was used for another request */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description over the request limit; see `Retry-After` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            /** @description the database is unavailable; nothing was done, unless `error.outcome` is `unknown`; see `Retry-After` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description a time in the last 48 hours; the default is the last midnight in UTC */
                since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OverviewResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listCampaignDays: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignDaysResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    previewMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    toUsers: {
        parameters: {
            query?: {
                /** @description validate and count only */
                dryRun?: boolean;
            };
            header?: {
                /** @description 1-255 printable characters; the same key and body within 24 hours sends once */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToUsersBody"];
            };
        };
        responses: {
            /** @description accepted: the number of devices the message is sent to */
            200: {
                headers: {
                    /** @description `true` when this is the kept answer to an earlier request */
                    "Idempotent-Replayed"?: string;
                    /** @description the id of the batch: all messages of an array have it */
                    "X-Batch-Id"?: string;
                    /** @description the ids of the first 20 messages */
                    "X-Message-Id"?: string;
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "count": 3
                     *     }
                     */
                    "application/json": components["schemas"]["SendResponse"];
                };
            };
            /** @description bad fields, each named in `details`; nothing is sent */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description the access token is missing, unknown, revoked or of another application */
            401: {
                headers: {
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description the token lacks the scope `send` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description a request with this Idempotency-Key is still running, or the audience differs from `expectedCount` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description this Idempotency-Key was used for another request */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description over the request limit; see `Retry-After` */
            429: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            /** @description the database is unavailable; nothing was done, unless `error.outcome` is `unknown`; see `Retry-After` */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSegments: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                /** @description only those with this text in their name; upper and lower case are the same */
                name?: string;
                /** @description true to list each segment with its `trend`; 1, 0, "true", "false", "1" and "0" are accepted too */
                trend?: boolean | (0 | 1) | ("true" | "false" | "1" | "0");
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSegment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SegmentRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the name is taken, or the application has the maximum number of segments */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SegmentChangesRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the name is taken, or the segment has another revision than the one named (`error.current` is the segment now); nothing was changed */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Removed"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description reading the group takes too long */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSegmentSizes: {
        parameters: {
            query?: {
                /** @description ISO 8601, or milliseconds since 1970 */
                from?: string | number;
                /** @description ISO 8601, or milliseconds since 1970 */
                to?: string | number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentSizesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    countGroup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CountGroupRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentCountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description counting the group takes too long */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    explainGroup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExplainGroupRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentExplanationResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description counting the group takes too long */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportGroup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            /** @description reading the group takes too long */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSegmentFields: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentFieldsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reportSmsByQuery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
                provider: "kavenegar" | "http";
                /** @description the secret in the `statusUrl` that was returned when the credentials were stored */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmsReportResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reportSmsByForm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
                provider: "kavenegar" | "http";
                /** @description the secret in the `statusUrl` that was returned when the credentials were stored */
                secret: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmsReportResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    reportTwilioSms: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                appId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmsReportResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTemplates: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                /** @description only those with this text in their name; upper and lower case are the same */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the name is taken, or the application has the maximum number of templates */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTemplate: {
        parameters: {
            query?: {
                /** @description absent: the newest */
                version?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateChangesRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the name is taken, or there is a newer version: `error.current` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Removed"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    restoreTemplate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateRestoreRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description someone else makes a new version at this moment */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTemplateVersions: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateVersionsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTrackers: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                /** @description only those with this text in their name; upper and lower case are the same */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackersResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTracker: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTrackerRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackerResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTracker: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackerResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteTracker: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CountResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateTracker: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TrackerChangesRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackerResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTrackerStats: {
        parameters: {
            query?: {
                /** @description a full hour in UTC; ISO 8601, or milliseconds since 1970 */
                from?: string | number;
                interval?: "hour" | "day";
                /** @description a full hour in UTC after from; ISO 8601, or milliseconds since 1970 */
                to?: string | number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackerStatsResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description only users with this attribute, and `value` in it */
                attribute?: string;
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description replaces the header `Accept` */
                format?: "json" | "csv";
                /** @description the maximum number of entries in the answer */
                limit?: number;
                /** @description the beginning of the ids */
                prefix?: string;
                /** @description the attribute as text, exactly: `true`, `3`, `Graz` */
                value?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserListResponse"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            /** @description looking for the attribute takes too long */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    eraseUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasureResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUserDeliveries: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
            };
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserDeliveryListResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserExportResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhooksResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhookRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the application has the maximum number of webhooks */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Removed"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookChangeRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description `nextCursor` of an earlier answer */
                cursor?: string;
                /** @description the maximum number of entries in the answer */
                limit?: number;
                state?: "waiting" | "sending" | "delivered" | "failed";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveriesResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    redeliverWebhookEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                eventId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            /** @description the event is being sent at this moment */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["NewSecretRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecretResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTestResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["RequestHeaderFieldsTooLarge"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
