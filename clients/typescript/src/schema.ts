/** Types of the API, generated from /openapi.json. Do not edit. */
export interface paths {
    "/v1/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["verify"];
        put?: never;
        post: operations["verifyInBody"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/replies/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["explainReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/domains/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["lookUpDomain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/proofs/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmProof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/.well-known/jwks.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["proofKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/verify/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyBulk"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-jobs/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["startBulkJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBulkJobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["bulkJob"];
        put?: never;
        post?: never;
        delete: operations["deleteBulkJob"];
        options?: never;
        head?: never;
        patch: operations["updateBulkJob"];
        trace?: never;
    };
    "/v1/bulk-jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelBulkJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-jobs/{id}/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["finishBulkJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-jobs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["bulkJobEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-jobs/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["bulkResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bulk-jobs/{id}/breakdown": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["bulkBreakdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["checkScheduleChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSchedules"];
        put?: never;
        post: operations["createSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        delete: operations["deleteSchedule"];
        options?: never;
        head?: never;
        patch: operations["updateSchedule"];
        trace?: never;
    };
    "/v1/schedules/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["runSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listScheduleRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/runs/{run_id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmScheduleRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/schedules/{id}/runs/{run_id}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["discardScheduleRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/outcomes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOutcomes"];
        put?: never;
        post: operations["reportOutcomes"];
        delete: operations["forgetOutcomes"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accuracy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAccuracy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/outcome-sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOutcomeSources"];
        put?: never;
        post: operations["addOutcomeSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/outcome-sources/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteOutcomeSource"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/inbound/outcomes/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receiveOutcomeEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["usageToday"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/usage/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["usageHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/team/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["teamHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listKeys"];
        put?: never;
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["key"];
        put?: never;
        post?: never;
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch: operations["renameKey"];
        trace?: never;
    };
    "/v1/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["signupOptions"];
        put?: never;
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signup/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmSignup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["signInOptions"];
        put?: never;
        post: operations["requestSignInLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/signin/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmSignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/team": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getTeam"];
        put?: never;
        post?: never;
        delete: operations["deleteTeam"];
        options?: never;
        head?: never;
        patch: operations["updateTeam"];
        trace?: never;
    };
    "/v1/team/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        patch: operations["changeRole"];
        trace?: never;
    };
    "/v1/failed_requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listFailedRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/team/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvites"];
        put?: never;
        post: operations["createInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/team/invites/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["invite"];
        put?: never;
        post?: never;
        delete: operations["revokeInvite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invites/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["readInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/team/invites/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["acceptTeamInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invites/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["acceptInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/blocklist": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBlocklist"];
        put?: never;
        post: operations["addToBlocklist"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/blocklist/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeFromBlocklist"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["policy"];
        put: operations["replacePolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/disposable/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["countPendingOverrides"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/disposable/candidates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCandidates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/disposable/candidates/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["mergeCandidate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/disposable/candidates/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rejectCandidate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/disposable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOverrides"];
        put?: never;
        post: operations["addOverride"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/disposable/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeOverride"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhooks"];
        put?: never;
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/retry-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["retryFailedDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{delivery_id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["retryDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["subscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/portal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["openPortal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPlans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/billing/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/stripe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["receiveStripeEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["system"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/system/checks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["systemCheckHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/system/examination": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["examineSystem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["livez"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "bulk_job.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onBulkJobCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bulk_job.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onBulkJobFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "bulk_job.canceled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onBulkJobCanceled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "schedule.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onScheduleCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "schedule.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onScheduleFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "schedule.needs_confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onScheduleNeedsConfirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "verification.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onVerificationCompleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "quota.warning": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onQuotaWarning"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "quota.exceeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onQuotaExceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invite.accepted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onInviteAccepted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onMemberRemoved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onKeyCreated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onKeyRevoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onSubscriptionUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onWebhookDisabled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onWebhookTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Alive: {
            /** @enum {string} */
            status: "ok";
        };
        Ready: {
            /** @enum {string} */
            status: "ok" | "degraded";
            checks: {
                [key: string]: "ok" | "degraded";
            };
            reasons: {
                [key: string]: string;
            };
            paused: boolean;
        };
        Member: {
            id: string;
            user_id: string;
            email: string;
            /** @enum {string} */
            role: "member" | "admin" | "owner";
            confirmed: boolean;
            /** Format: date-time */
            joined_at: string;
            /** Format: date-time */
            last_active_at: string | null;
        };
        Team: {
            id: string;
            name: string;
            tier: string;
            /** @enum {string} */
            role: "member" | "admin" | "owner";
            /** Format: date-time */
            created_at: string;
            retention_days: number;
            max_retention_days: number;
            role_is_risky: boolean;
            members: components["schemas"]["Member"][];
        };
        TeamUpdate: {
            name?: string;
            retention_days?: number;
            role_is_risky?: boolean;
        };
        RoleChange: {
            /** @enum {string} */
            role: "member" | "admin" | "owner";
        };
        Invite: {
            id: string;
            email: string;
            /** @enum {string} */
            role: "member" | "admin";
            /** @enum {string} */
            status: "pending" | "accepted" | "revoked" | "expired";
            invited_by: string;
            by_mail: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            accepted_at: string | null;
        };
        InvitePage: {
            data: components["schemas"]["Invite"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        InviteCreate: {
            email: string;
            /** @enum {string} */
            role?: "member" | "admin";
            expires_in_days?: number;
            /** @enum {string} */
            language?: "en" | "de";
        };
        NewInvite: {
            id: string;
            email: string;
            /** @enum {string} */
            role: "member" | "admin";
            /** @enum {string} */
            status: "pending" | "accepted" | "revoked" | "expired";
            invited_by: string;
            by_mail: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            accepted_at: string | null;
            token: string | null;
            accept_url: string | null;
        };
        InviteRead: {
            token: string;
        };
        InviteOffer: {
            team: string;
            invited_by: string | null;
            email: string;
            /** @enum {string} */
            role: "member" | "admin";
            /** Format: date-time */
            expires_at: string;
        };
        Quota: {
            limit: number | null;
            used: number;
            reserved: number;
            remaining: number | null;
            /** Format: date-time */
            resets_at: string;
        };
        UsageOfKey: {
            single: number;
            bulk: number;
            total: number;
            free: number;
            by_status: {
                deliverable: number;
                undeliverable: number;
                risky: number;
                unknown: number;
            };
            key_id: string;
            rate_limited: number;
        };
        UsageToday: {
            single: number;
            bulk: number;
            total: number;
            free: number;
            by_status: {
                deliverable: number;
                undeliverable: number;
                risky: number;
                unknown: number;
            };
            /** Format: date */
            date: string;
            tier: string;
            quota: components["schemas"]["Quota"];
            keys: components["schemas"]["UsageOfKey"][];
        };
        UsageOfDay: {
            single: number;
            bulk: number;
            total: number;
            free: number;
            by_status: {
                deliverable: number;
                undeliverable: number;
                risky: number;
                unknown: number;
            };
            /** Format: date */
            date: string;
        };
        DailyUsage: {
            data: components["schemas"]["UsageOfDay"][];
        };
        AuditActor: {
            user_id: string | null;
            key_id: string | null;
            address: string | null;
        };
        AuditSubject: {
            type: string;
            id: string;
        };
        AuditEntry: {
            id: string;
            /** Format: date-time */
            at: string;
            actor: components["schemas"]["AuditActor"];
            action: string;
            subject: components["schemas"]["AuditSubject"];
            changes: {
                [key: string]: unknown;
            };
            request_id: string | null;
        };
        AuditPage: {
            data: components["schemas"]["AuditEntry"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        FailedRequest: {
            id: string;
            request_id: string;
            /** Format: date-time */
            at: string;
            key_id: string;
            method: string;
            route: string | null;
            status: number;
            code: string | null;
            duration_ms: number;
        };
        FailedRequestPage: {
            data: components["schemas"]["FailedRequest"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        VerdictChecks: {
            disposable: boolean;
            privacy_relay: boolean;
            role: boolean;
            free: boolean;
            subaddress: boolean;
            no_reply: boolean;
            catch_all: boolean | null;
            mailbox_full: boolean | null;
            disabled: boolean | null;
            smtputf8: boolean | null;
        };
        MailExchanger: {
            host: string;
            preference: number;
        };
        VerdictDns: {
            mx_found: boolean | null;
            implicit_mx: boolean | null;
            null_mx: boolean | null;
            mx: components["schemas"]["MailExchanger"][];
            provider: string | null;
            error: string | null;
        };
        SmtpDialogueLine: {
            /** @enum {string} */
            source: "connection" | "client" | "server";
            text: string;
        };
        VerdictSmtp: {
            dialogue?: components["schemas"]["SmtpDialogueLine"][];
            /** @enum {string|null} */
            stage: "connect" | "banner" | "ehlo" | "starttls" | "mail" | "rcpt" | null;
            code: number | null;
            enhanced_code: string | null;
            /** @enum {string|null} */
            category: "accepted" | "rate_limited" | "mailbox_not_found" | "mailbox_disabled" | "mailbox_full" | "greylisted" | "temporary" | "sender_blocked" | "policy" | "protocol" | "smtputf8" | "null_mx" | null;
            mx_host: string | null;
            attempts: number;
            tls: boolean | null;
            text: string | null;
            rule: string | null;
            egress: string | null;
        };
        VerdictPolicy: {
            /** @enum {string} */
            decision: "accept" | "review" | "reject";
            rule: string | null;
        };
        VerdictOutcome: {
            /** @enum {string} */
            kind: "delivered" | "bounced" | "complained";
            /** Format: date-time */
            at: string;
            code: number | null;
            enhanced_code: string | null;
            text: string | null;
        };
        VerdictEstimate: {
            deliverable: number;
            low: number;
            high: number;
            /** @enum {string} */
            basis: "address" | "domain" | "host" | "reason";
            outcomes: number;
        };
        ListMatch: {
            /** @enum {string} */
            list: "blocklist" | "disposable" | "privacy_relay" | "role";
            /** @enum {string} */
            scope: "global" | "team";
            pattern: string;
            source: string;
        };
        Verdict: {
            email: string;
            normalized_email: string | null;
            canonical_email: string | null;
            local_part: string | null;
            domain: string | null;
            /** @enum {string} */
            status: "deliverable" | "undeliverable" | "risky" | "unknown";
            /** @enum {string} */
            reason: "accepted_email" | "delivered" | "catch_all" | "catch_all_unknown" | "disposable" | "role" | "mailbox_full" | "inconclusive_provider" | "blocked_domain" | "invalid_syntax" | "invalid_domain" | "no_mail_server" | "null_mx" | "mailbox_not_found" | "mailbox_disabled" | "bounced" | "smtputf8_unsupported" | "dns_error" | "no_connect" | "timeout" | "greylisted" | "temporary_failure" | "sender_blocked" | "recipient_policy" | "smtp_protocol_error" | "smtp_disabled" | "unsafe_mail_server" | "rate_limited" | "egress_unavailable" | "internal_error";
            score: number;
            did_you_mean: string | null;
            checks: components["schemas"]["VerdictChecks"];
            dns: components["schemas"]["VerdictDns"];
            smtp: components["schemas"]["VerdictSmtp"] | null;
            policy: components["schemas"]["VerdictPolicy"];
            outcome: components["schemas"]["VerdictOutcome"] | null;
            estimate: components["schemas"]["VerdictEstimate"] | null;
            list_match: components["schemas"]["ListMatch"] | null;
            retry_after: number | null;
            /** Format: date-time */
            verified_at: string;
            cached: boolean;
            age_seconds: number;
            duration_ms: number;
        };
        ReducedPolicy: {
            /** @enum {string} */
            decision: "accept" | "review" | "reject";
        };
        ReducedVerdict: {
            email: string;
            /** @enum {string} */
            status: "deliverable" | "undeliverable" | "risky" | "unknown";
            /** @enum {string} */
            reason: "accepted_email" | "delivered" | "catch_all" | "catch_all_unknown" | "disposable" | "role" | "mailbox_full" | "inconclusive_provider" | "blocked_domain" | "invalid_syntax" | "invalid_domain" | "no_mail_server" | "null_mx" | "mailbox_not_found" | "mailbox_disabled" | "bounced" | "smtputf8_unsupported" | "dns_error" | "no_connect" | "timeout" | "greylisted" | "temporary_failure" | "sender_blocked" | "recipient_policy" | "smtp_protocol_error" | "smtp_disabled" | "unsafe_mail_server" | "rate_limited" | "egress_unavailable" | "internal_error";
            did_you_mean: string | null;
            policy: components["schemas"]["ReducedPolicy"];
            proof: string | null;
        };
        Verdicts: {
            data: components["schemas"]["Verdict"][];
        };
        VerifyOne: {
            email: string;
            refresh?: boolean;
            max_age?: number;
            timeout?: number;
            dialogue?: boolean;
        };
        VerifyMany: {
            emails: string[];
            refresh?: boolean;
            max_age?: number;
            timeout?: number;
            dialogue?: boolean;
        };
        VerifyRequest: components["schemas"]["VerifyOne"] | components["schemas"]["VerifyMany"];
        ReplyExplain: {
            text: string;
            /** @enum {string} */
            stage?: "connect" | "banner" | "ehlo" | "starttls" | "mail" | "rcpt";
            /** @enum {string|null} */
            provider?: "google" | "microsoft" | "yahoo" | "yahoo_japan" | "apple" | "zoho" | "yandex" | "proton" | "fastmail" | "mailru" | "gmx" | "ionos" | "ovh" | "tencent" | "netease" | "alibaba" | "amazon" | "rackspace" | "godaddy" | "namecheap" | "hostinger" | "cloudflare" | "gandi" | "infomaniak" | "strato" | "telekom" | "tuta" | "seznam" | "orange" | "comcast" | "migadu" | "improvmx" | "forwardemail" | "mimecast" | "proofpoint" | "barracuda" | "trendmicro" | "cisco" | "symantec" | "sophos" | "forcepoint" | "hornetsecurity" | "spamexperts" | "fortinet" | "appriver" | "mailroute" | "mailguard" | "fireeye" | "siteground" | null;
        };
        ReplyWeights: {
            absent: number;
            closed: number;
            full: number;
            none: number;
        };
        ReplyFeature: {
            feature: string;
            weight: components["schemas"]["ReplyWeights"];
        };
        ReplyExplanation: {
            /** @enum {string} */
            category: "accepted" | "rate_limited" | "mailbox_not_found" | "mailbox_disabled" | "mailbox_full" | "greylisted" | "temporary" | "sender_blocked" | "policy" | "protocol" | "smtputf8" | "null_mx";
            /** @enum {string|null} */
            about: "recipient" | "customer" | "sender" | null;
            /** @enum {string} */
            mailbox_state: "absent" | "closed" | "full" | "none";
            rule: string;
            features: components["schemas"]["ReplyFeature"][];
            unread: string[];
        };
        SpfRecord: {
            record: string | null;
            /** @enum {string|null} */
            error: "several_records" | "too_long" | "invalid" | null;
            /** @enum {string|null} */
            all: "pass" | "fail" | "softfail" | "neutral" | null;
        };
        DmarcRecord: {
            record: string | null;
            /** @enum {string|null} */
            error: "several_records" | "too_long" | "invalid" | null;
            found_at: string | null;
            organizational_domain: string;
            /** @enum {string|null} */
            policy: "none" | "quarantine" | "reject" | null;
            testing: boolean;
        };
        MtaStsRecord: {
            record: string | null;
            /** @enum {string|null} */
            error: "several_records" | "too_long" | "invalid" | null;
            id: string | null;
        };
        DomainLookUpError: {
            /** @enum {string} */
            member: "mx" | "spf" | "dmarc" | "mta_sts";
            error: string | null;
        };
        Domain: {
            mx_found: boolean | null;
            implicit_mx: boolean | null;
            null_mx: boolean | null;
            mx: components["schemas"]["MailExchanger"][];
            provider: string | null;
            disposable: boolean;
            privacy_relay: boolean;
            free: boolean;
            domain: string;
            accepts_mail: boolean | null;
            catch_all: boolean | null;
            catch_all_age_seconds: number | null;
            spf: components["schemas"]["SpfRecord"] | null;
            dmarc: components["schemas"]["DmarcRecord"] | null;
            mta_sts: components["schemas"]["MtaStsRecord"] | null;
            suppressed: boolean;
            suppressed_by: string | null;
            errors: components["schemas"]["DomainLookUpError"][];
            /** Format: date-time */
            checked_at: string;
        };
        ProofConfirm: {
            proof: string;
            email: string;
        };
        ProofConfirmation: {
            valid: boolean;
            /** @enum {string|null} */
            why: "malformed" | "signature" | "other_team" | "expired" | "other_email" | null;
            /** @enum {string|null} */
            status: "deliverable" | "undeliverable" | "risky" | "unknown" | null;
            /** @enum {string|null} */
            reason: "accepted_email" | "delivered" | "catch_all" | "catch_all_unknown" | "disposable" | "role" | "mailbox_full" | "inconclusive_provider" | "blocked_domain" | "invalid_syntax" | "invalid_domain" | "no_mail_server" | "null_mx" | "mailbox_not_found" | "mailbox_disabled" | "bounced" | "smtputf8_unsupported" | "dns_error" | "no_connect" | "timeout" | "greylisted" | "temporary_failure" | "sender_blocked" | "recipient_policy" | "smtp_protocol_error" | "smtp_disabled" | "unsafe_mail_server" | "rate_limited" | "egress_unavailable" | "internal_error" | null;
            /** @enum {string|null} */
            decision: "accept" | "review" | "reject" | null;
            /** Format: date-time */
            verified_at: string | null;
            replayed: boolean;
        };
        ProofKey: {
            /** @enum {string} */
            kty: "OKP";
            /** @enum {string} */
            crv: "Ed25519";
            x: string;
            kid: string;
            /** @enum {string} */
            alg: "EdDSA";
            /** @enum {string} */
            use: "sig";
        };
        ProofKeys: {
            keys: components["schemas"]["ProofKey"][];
        };
        BlocklistEntry: {
            domain: string;
            reason: string | null;
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
        };
        BlocklistPage: {
            data: components["schemas"]["BlocklistEntry"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        BlocklistAdd: {
            domain: string;
            reason?: string | null;
        };
        PendingOverrides: {
            pending: number;
        };
        DisposableCandidate: {
            id: string;
            domain: string;
            /** @enum {string} */
            verdict: "disposable" | "not_disposable";
            note: string | null;
            /** Format: date-time */
            created_at: string;
            team_id: string | null;
            mx_host: string | null;
            times_seen: number;
        };
        DisposableCandidatePage: {
            data: components["schemas"]["DisposableCandidate"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        DisposableOverride: {
            id: string;
            domain: string;
            /** @enum {string} */
            verdict: "disposable" | "not_disposable";
            note: string | null;
            /** @enum {string} */
            status: "pending" | "merged" | "rejected";
            /** Format: date-time */
            created_at: string;
            created_by: string | null;
        };
        DisposableOverridePage: {
            data: components["schemas"]["DisposableOverride"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        DisposableOverrideAdd: {
            domain: string;
            /** @enum {string} */
            verdict: "disposable" | "not_disposable";
            note?: string | null;
        };
        RuleEmail: string | string[];
        RuleDomain: string | string[];
        RuleDomainSuffix: string | string[];
        RuleTld: string | string[];
        RuleMxHostSuffix: string | string[];
        RuleProvider: string | string[];
        RuleReason: ("accepted_email" | "delivered" | "catch_all" | "catch_all_unknown" | "disposable" | "role" | "mailbox_full" | "inconclusive_provider" | "blocked_domain" | "invalid_syntax" | "invalid_domain" | "no_mail_server" | "null_mx" | "mailbox_not_found" | "mailbox_disabled" | "bounced" | "smtputf8_unsupported" | "dns_error" | "no_connect" | "timeout" | "greylisted" | "temporary_failure" | "sender_blocked" | "recipient_policy" | "smtp_protocol_error" | "smtp_disabled" | "unsafe_mail_server" | "rate_limited" | "egress_unavailable" | "internal_error") | ("accepted_email" | "delivered" | "catch_all" | "catch_all_unknown" | "disposable" | "role" | "mailbox_full" | "inconclusive_provider" | "blocked_domain" | "invalid_syntax" | "invalid_domain" | "no_mail_server" | "null_mx" | "mailbox_not_found" | "mailbox_disabled" | "bounced" | "smtputf8_unsupported" | "dns_error" | "no_connect" | "timeout" | "greylisted" | "temporary_failure" | "sender_blocked" | "recipient_policy" | "smtp_protocol_error" | "smtp_disabled" | "unsafe_mail_server" | "rate_limited" | "egress_unavailable" | "internal_error")[];
        RuleStatus: ("deliverable" | "undeliverable" | "risky" | "unknown") | ("deliverable" | "undeliverable" | "risky" | "unknown")[];
        RuleChecks: ("disposable" | "privacy_relay" | "role" | "free" | "catch_all" | "subaddress" | "no_reply" | "smtputf8") | ("disposable" | "privacy_relay" | "role" | "free" | "catch_all" | "subaddress" | "no_reply" | "smtputf8")[];
        PolicyConditions: {
            email?: components["schemas"]["RuleEmail"];
            domain?: components["schemas"]["RuleDomain"];
            domain_suffix?: components["schemas"]["RuleDomainSuffix"];
            tld?: components["schemas"]["RuleTld"];
            mx_host_suffix?: components["schemas"]["RuleMxHostSuffix"];
            provider?: components["schemas"]["RuleProvider"];
            reason?: components["schemas"]["RuleReason"];
            status?: components["schemas"]["RuleStatus"];
            checks?: components["schemas"]["RuleChecks"];
            estimate_below?: number;
        };
        PolicyRule: {
            id: string;
            when: components["schemas"]["PolicyConditions"];
            unless: components["schemas"]["PolicyConditions"] | null;
            /** @enum {string} */
            decision: "accept" | "review" | "reject";
            note: string | null;
            /** Format: date-time */
            expires_at: string | null;
        };
        Policy: {
            rules: components["schemas"]["PolicyRule"][];
            /** Format: date-time */
            updated_at: string | null;
            updated_by: string | null;
        };
        PolicyRuleInput: {
            id?: string;
            when: components["schemas"]["PolicyConditions"];
            unless?: components["schemas"]["PolicyConditions"] | null;
            /** @enum {string} */
            decision: "accept" | "review" | "reject";
            note?: string | null;
            /** Format: date-time */
            expires_at?: string | null;
        };
        PolicyUpdate: {
            rules: components["schemas"]["PolicyRuleInput"][];
            /** Format: date-time */
            updated_at?: string | null;
            updated_by?: string | null;
        };
        OutcomePage: {
            data: components["schemas"]["VerdictOutcome"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        BounceRate: {
            value: number;
            low: number;
            high: number;
        };
        AccuracyRow: {
            /** @enum {string} */
            status: "deliverable" | "undeliverable" | "risky" | "unknown";
            /** @enum {string} */
            reason: "accepted_email" | "delivered" | "catch_all" | "catch_all_unknown" | "disposable" | "role" | "mailbox_full" | "inconclusive_provider" | "blocked_domain" | "invalid_syntax" | "invalid_domain" | "no_mail_server" | "null_mx" | "mailbox_not_found" | "mailbox_disabled" | "bounced" | "smtputf8_unsupported" | "dns_error" | "no_connect" | "timeout" | "greylisted" | "temporary_failure" | "sender_blocked" | "recipient_policy" | "smtp_protocol_error" | "smtp_disabled" | "unsafe_mail_server" | "rate_limited" | "egress_unavailable" | "internal_error";
            provider: string | null;
            verified: number;
            delivered: number;
            bounced: number;
            complained: number;
            /** @enum {string|null} */
            basis: "deliveries" | "bounces_only" | null;
            bounce_rate: components["schemas"]["BounceRate"] | null;
        };
        Calibration: {
            outcomes: number;
            brier: number | null;
            error: number | null;
        };
        Accuracy: {
            data: components["schemas"]["AccuracyRow"][];
            calibration: components["schemas"]["Calibration"];
        };
        BulkEntry: {
            email: string;
            ref?: string | null;
        };
        BulkItem: string | components["schemas"]["BulkEntry"];
        BulkVerifyRequest: {
            emails: components["schemas"]["BulkItem"][];
            name?: string | null;
            refresh?: boolean;
            max_age?: number;
            /** @enum {string|null} */
            notify?: "en" | "de" | null;
            /** @enum {string|null} */
            unique?: "address" | "canonical" | null;
        };
        BulkJobCreator: {
            user_id: string;
            email: string;
        };
        RowLine: {
            index: number;
            line: number | null;
        };
        CsvFormat: {
            delimiter: string;
            header: number | null;
            column: string;
            /** @enum {string} */
            encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-874" | "windows-1250" | "windows-1251" | "windows-1252" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258" | "iso-8859-1" | "iso-8859-2" | "iso-8859-3" | "iso-8859-4" | "iso-8859-5" | "iso-8859-6" | "iso-8859-7" | "iso-8859-8" | "iso-8859-10" | "iso-8859-13" | "iso-8859-14" | "iso-8859-15" | "iso-8859-16" | "ibm866" | "koi8-r" | "koi8-u" | "macintosh" | "x-mac-cyrillic" | "shift_jis" | "euc-jp" | "iso-2022-jp" | "euc-kr" | "gb18030" | "big5";
            warning: string | null;
            lines: components["schemas"]["RowLine"][] | null;
        };
        ExpectedBounces: {
            low: number;
            high: number;
        };
        ListProvider: {
            name: string;
            addresses: number;
        };
        ListEta: {
            low: number;
            high: number;
        };
        ListWarning: {
            /** @enum {string} */
            code: "encoding" | "wrong_delimiter" | "repeated_header" | "several_addresses" | "wrapped" | "not_an_address" | "empty_rows";
            line?: number;
            message: string;
        };
        ListPreview: {
            rows: number;
            unique: number;
            duplicates: number;
            stored: number;
            invalid_syntax: number;
            disposable: number;
            role: number;
            privacy_relay: number;
            dead_domains: number;
            dead_addresses: number;
            providers: components["schemas"]["ListProvider"][];
            max_charge: number;
            eta_seconds: components["schemas"]["ListEta"];
            warnings: components["schemas"]["ListWarning"][];
        };
        BulkUsage: {
            reserved: number;
            charged: number;
            returned: number;
        };
        BulkJob: {
            id: string;
            name: string | null;
            /** @enum {string} */
            status: "held" | "queued" | "running" | "completed" | "canceled" | "failed";
            created_by: components["schemas"]["BulkJobCreator"] | null;
            schedule_id: string | null;
            /** @enum {string|null} */
            notify: "en" | "de" | null;
            header: boolean | null;
            format: components["schemas"]["CsvFormat"] | null;
            total: number;
            empty: number;
            /** @enum {string} */
            unique_by: "address" | "canonical";
            unique: number;
            duplicates: number;
            processed: number;
            deferred: number;
            /** Format: date-time */
            next_attempt_at: string | null;
            /** Format: date-time */
            deferred_until: string | null;
            by_status: {
                deliverable?: number;
                undeliverable?: number;
                risky?: number;
                unknown?: number;
            };
            by_reason: {
                accepted_email?: number;
                delivered?: number;
                catch_all?: number;
                catch_all_unknown?: number;
                disposable?: number;
                role?: number;
                mailbox_full?: number;
                inconclusive_provider?: number;
                blocked_domain?: number;
                invalid_syntax?: number;
                invalid_domain?: number;
                no_mail_server?: number;
                null_mx?: number;
                mailbox_not_found?: number;
                mailbox_disabled?: number;
                bounced?: number;
                smtputf8_unsupported?: number;
                dns_error?: number;
                no_connect?: number;
                timeout?: number;
                greylisted?: number;
                temporary_failure?: number;
                sender_blocked?: number;
                recipient_policy?: number;
                smtp_protocol_error?: number;
                smtp_disabled?: number;
                unsafe_mail_server?: number;
                rate_limited?: number;
                egress_unavailable?: number;
                internal_error?: number;
            };
            expected_bounces: components["schemas"]["ExpectedBounces"] | null;
            preview: components["schemas"]["ListPreview"] | null;
            usage: components["schemas"]["BulkUsage"];
            failure: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            eta_seconds: number | null;
            /** Format: date-time */
            expires_at: string | null;
        };
        BulkJobPage: {
            data: components["schemas"]["BulkJob"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        BulkJobUpdate: {
            name?: string | null;
            /** @enum {string|null} */
            notify?: "en" | "de" | null;
        };
        BulkRef: string | {
            [key: string]: string;
        } | null;
        FinishedBulkResult: {
            email: string;
            normalized_email: string | null;
            canonical_email: string | null;
            local_part: string | null;
            domain: string | null;
            /** @enum {string} */
            status: "deliverable" | "undeliverable" | "risky" | "unknown";
            /** @enum {string} */
            reason: "accepted_email" | "delivered" | "catch_all" | "catch_all_unknown" | "disposable" | "role" | "mailbox_full" | "inconclusive_provider" | "blocked_domain" | "invalid_syntax" | "invalid_domain" | "no_mail_server" | "null_mx" | "mailbox_not_found" | "mailbox_disabled" | "bounced" | "smtputf8_unsupported" | "dns_error" | "no_connect" | "timeout" | "greylisted" | "temporary_failure" | "sender_blocked" | "recipient_policy" | "smtp_protocol_error" | "smtp_disabled" | "unsafe_mail_server" | "rate_limited" | "egress_unavailable" | "internal_error";
            score: number;
            did_you_mean: string | null;
            checks: components["schemas"]["VerdictChecks"];
            dns: components["schemas"]["VerdictDns"];
            smtp: components["schemas"]["VerdictSmtp"] | null;
            policy: components["schemas"]["VerdictPolicy"];
            outcome: components["schemas"]["VerdictOutcome"] | null;
            estimate: components["schemas"]["VerdictEstimate"] | null;
            list_match: components["schemas"]["ListMatch"] | null;
            retry_after: number | null;
            /** Format: date-time */
            verified_at: string;
            cached: boolean;
            age_seconds: number;
            duration_ms: number;
            index: number;
            ref: components["schemas"]["BulkRef"];
            duplicate_of: string | null;
        };
        UnfinishedBulkResult: {
            index: number;
            ref: components["schemas"]["BulkRef"];
            email: string;
            status: null;
        };
        BulkResult: components["schemas"]["FinishedBulkResult"] | components["schemas"]["UnfinishedBulkResult"];
        BulkResultPage: {
            data: components["schemas"]["BulkResult"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        BulkGroup: {
            rows: number;
            by_status: {
                deliverable?: number;
                undeliverable?: number;
                risky?: number;
                unknown?: number;
            };
            name: string | null;
        };
        BulkGroupRows: {
            rows: number;
            by_status: {
                deliverable?: number;
                undeliverable?: number;
                risky?: number;
                unknown?: number;
            };
        };
        BulkBreakdown: {
            /** @enum {string} */
            by: "domain" | "provider";
            groups: components["schemas"]["BulkGroup"][];
            other: components["schemas"]["BulkGroupRows"];
        };
        ScheduleUrlInput: {
            /** @enum {string} */
            kind: "url";
            /** Format: uri */
            url: string;
            headers?: {
                [key: string]: string;
            };
            email_column?: string | null;
        };
        ScheduleListmonkInput: {
            /** @enum {string} */
            kind: "listmonk";
            /** Format: uri */
            url: string;
            username: string;
            token?: string;
            lists: number[];
        };
        ScheduleSourceInput: components["schemas"]["ScheduleUrlInput"] | components["schemas"]["ScheduleListmonkInput"];
        ScheduleMaxBlocklistedInput: {
            share?: number;
            count?: number;
        };
        ScheduleOnResultInput: {
            /** @enum {string} */
            listmonk: "blocklist_undeliverable" | "attributes" | "none";
            max_blocklisted?: components["schemas"]["ScheduleMaxBlocklistedInput"];
        };
        ScheduleCreate: {
            name: string;
            /** @enum {string} */
            every: "day" | "week" | "month";
            at?: number;
            /** @enum {string} */
            weekday?: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
            day_of_month?: number;
            source: components["schemas"]["ScheduleSourceInput"];
            max_age_days?: number;
            on_result?: components["schemas"]["ScheduleOnResultInput"];
            /** @enum {string|null} */
            notify?: "en" | "de" | null;
            enabled?: boolean;
        };
        ScheduleCheckList: {
            id: number;
            name: string;
            subscribers: number | null;
        };
        ScheduleCheckListmonk: {
            lists: components["schemas"]["ScheduleCheckList"][];
        };
        ScheduleFailure: {
            /** @enum {string} */
            code: "unauthorized" | "not_found" | "http_status" | "redirect" | "address_not_allowed" | "dns" | "connection" | "tls" | "timeout" | "too_little_in_time" | "too_slow" | "too_large" | "list_not_found" | "disabled" | "not_a_list" | "malformed_list" | "not_listmonk" | "empty" | "bulk_too_large" | "daily_quota_exceeded" | "upgrade_required" | "job_canceled" | "job_failed" | "secret_unreadable" | "interrupted";
            message: string;
            detail: string | null;
        };
        ScheduleCheck: {
            /** @enum {string} */
            object: "schedule_check";
            ok: boolean;
            columns: string[] | null;
            email_column: string | null;
            rows_seen: number;
            addresses_seen: number;
            sample_is_whole: boolean;
            total: number | null;
            listmonk: components["schemas"]["ScheduleCheckListmonk"] | null;
            failure: components["schemas"]["ScheduleFailure"] | null;
        };
        ScheduleCheckChanges: {
            source?: components["schemas"]["ScheduleSourceInput"];
        };
        ScheduleSource: {
            /** @enum {string} */
            kind: "url" | "listmonk";
            url: string;
            headers?: string[];
            email_column?: string | null;
            username?: string;
            lists?: number[];
        };
        ScheduleMaxBlocklisted: {
            share: number;
            count: number;
        };
        ScheduleOnResult: {
            /** @enum {string} */
            listmonk: "blocklist_undeliverable" | "attributes" | "none";
            max_blocklisted: components["schemas"]["ScheduleMaxBlocklisted"];
        };
        ScheduleReasonCount: {
            /** @enum {string} */
            reason: "accepted_email" | "delivered" | "catch_all" | "catch_all_unknown" | "disposable" | "role" | "mailbox_full" | "inconclusive_provider" | "blocked_domain" | "invalid_syntax" | "invalid_domain" | "no_mail_server" | "null_mx" | "mailbox_not_found" | "mailbox_disabled" | "bounced" | "smtputf8_unsupported" | "dns_error" | "no_connect" | "timeout" | "greylisted" | "temporary_failure" | "sender_blocked" | "recipient_policy" | "smtp_protocol_error" | "smtp_disabled" | "unsafe_mail_server" | "rate_limited" | "egress_unavailable" | "internal_error";
            count: number;
        };
        ScheduleConfirmation: {
            subscribers: number;
            share: number;
            reasons: components["schemas"]["ScheduleReasonCount"][];
            /** Format: date-time */
            confirm_by: string | null;
        };
        ScheduleRun: {
            id: string;
            schedule_id: string;
            /** @enum {string} */
            status: "queued" | "verifying" | "writing" | "needs_confirmation" | "completed" | "discarded" | "failed";
            job_id: string | null;
            rows: number;
            unchanged: number;
            verified: number;
            new: number;
            changed: {
                deliverable?: number;
                undeliverable?: number;
                risky?: number;
                unknown?: number;
            };
            written: number;
            not_written: number;
            postponed: number;
            confirmation: components["schemas"]["ScheduleConfirmation"] | null;
            failure: components["schemas"]["ScheduleFailure"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
        };
        Schedule: {
            id: string;
            name: string;
            /** @enum {string} */
            every: "day" | "week" | "month";
            at: number;
            /** @enum {string} */
            weekday: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
            day_of_month: number;
            source: components["schemas"]["ScheduleSource"];
            max_age_days: number;
            on_result: components["schemas"]["ScheduleOnResult"];
            /** @enum {string|null} */
            notify: "en" | "de" | null;
            enabled: boolean;
            disabled_reason: components["schemas"]["ScheduleFailure"] | null;
            /** Format: date-time */
            next_run_at: string | null;
            last_run: components["schemas"]["ScheduleRun"] | null;
            /** Format: date-time */
            created_at: string;
        };
        SchedulePage: {
            data: components["schemas"]["Schedule"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        ScheduleUpdate: {
            name?: string;
            /** @enum {string} */
            every?: "day" | "week" | "month";
            at?: number;
            /** @enum {string} */
            weekday?: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
            day_of_month?: number;
            source?: components["schemas"]["ScheduleSourceInput"];
            max_age_days?: number;
            on_result?: components["schemas"]["ScheduleOnResultInput"];
            /** @enum {string|null} */
            notify?: "en" | "de" | null;
            enabled?: boolean;
        };
        ScheduleRunPage: {
            data: components["schemas"]["ScheduleRun"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        PolicyPreviewRequest: {
            rules: components["schemas"]["PolicyRuleInput"][];
            days?: number;
        };
        PolicyChange: {
            /** @enum {string} */
            before: "accept" | "review" | "reject";
            /** @enum {string} */
            after: "accept" | "review" | "reject";
            count: number;
        };
        PolicyPreviewExample: {
            /** @enum {string} */
            reason: "accepted_email" | "delivered" | "catch_all" | "catch_all_unknown" | "disposable" | "role" | "mailbox_full" | "inconclusive_provider" | "blocked_domain" | "invalid_syntax" | "invalid_domain" | "no_mail_server" | "null_mx" | "mailbox_not_found" | "mailbox_disabled" | "bounced" | "smtputf8_unsupported" | "dns_error" | "no_connect" | "timeout" | "greylisted" | "temporary_failure" | "sender_blocked" | "recipient_policy" | "smtp_protocol_error" | "smtp_disabled" | "unsafe_mail_server" | "rate_limited" | "egress_unavailable" | "internal_error";
            domain: string | null;
            /** @enum {string} */
            before: "accept" | "review" | "reject";
            /** @enum {string} */
            after: "accept" | "review" | "reject";
            rule: string | null;
            job_id: string | null;
            count: number;
        };
        PolicyPreview: {
            verdicts: number;
            changed: number;
            by_decision: {
                accept: number;
                review: number;
                reject: number;
            };
            by_decision_before: {
                accept: number;
                review: number;
                reject: number;
            };
            changes: components["schemas"]["PolicyChange"][];
            complete: boolean;
            examples: components["schemas"]["PolicyPreviewExample"][];
        };
        Outcome: {
            email: string;
            /** @enum {string} */
            outcome: "delivered" | "bounced" | "complained";
            /** Format: date-time */
            at?: string | null;
            reply?: string | null;
            code?: number | null;
            enhanced_code?: string | null;
            message_id?: string | null;
        };
        OutcomeList: {
            outcomes: components["schemas"]["Outcome"][];
        };
        IgnoredOutcome: {
            index: number;
            code: string;
            message: string;
        };
        OutcomeReceipt: {
            received: number;
            stored: number;
            duplicates: number;
            ignored: components["schemas"]["IgnoredOutcome"][];
        };
        OutcomeSource: {
            id: string;
            /** @enum {string} */
            kind: "ses" | "sendgrid" | "postmark" | "mailgun" | "resend" | "brevo" | "sparkpost" | "postal" | "mailjet" | "mandrill" | "mailersend" | "mailtrap" | "kumomta";
            /** Format: date-time */
            created_at: string;
            reports: ("delivered" | "bounced" | "complained")[];
        };
        OutcomeSourcePage: {
            data: components["schemas"]["OutcomeSource"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        OutcomeSourceCreate: {
            /** @enum {string} */
            kind: "ses" | "sendgrid" | "postmark" | "mailgun" | "resend" | "brevo" | "sparkpost" | "postal" | "mailjet" | "mandrill" | "mailersend" | "mailtrap" | "kumomta";
            secret?: string | null;
        };
        IssuedOutcomeSource: {
            id: string;
            /** @enum {string} */
            kind: "ses" | "sendgrid" | "postmark" | "mailgun" | "resend" | "brevo" | "sparkpost" | "postal" | "mailjet" | "mandrill" | "mailersend" | "mailtrap" | "kumomta";
            /** Format: date-time */
            created_at: string;
            reports: ("delivered" | "bounced" | "complained")[];
            url: string | null;
        };
        EventReceipt: {
            received: number;
            stored: number;
            duplicates: number;
            ignored: number;
        };
        RecentDeliveries: {
            /** Format: date-time */
            last_at: string | null;
            succeeded: number;
            failed: number;
            retrying: number;
        };
        WebhookWithDeliveries: {
            id: string;
            url: string;
            /** @enum {string} */
            mode: "live" | "test";
            events: ("bulk_job.completed" | "bulk_job.failed" | "bulk_job.canceled" | "schedule.completed" | "schedule.failed" | "schedule.needs_confirmation" | "verification.completed" | "quota.warning" | "quota.exceeded" | "invite.accepted" | "member.removed" | "key.created" | "key.revoked" | "subscription.updated" | "webhook.disabled" | "webhook.test")[];
            description: string | null;
            enabled: boolean;
            /** Format: date-time */
            created_at: string;
            /** @enum {string|null} */
            disabled_reason: "owner" | "gone" | "failing" | null;
            recent: components["schemas"]["RecentDeliveries"];
        };
        WebhookPage: {
            data: components["schemas"]["WebhookWithDeliveries"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        WebhookCreate: {
            /** Format: uri */
            url: string;
            events?: ("bulk_job.completed" | "bulk_job.failed" | "bulk_job.canceled" | "schedule.completed" | "schedule.failed" | "schedule.needs_confirmation" | "verification.completed" | "quota.warning" | "quota.exceeded" | "invite.accepted" | "member.removed" | "key.created" | "key.revoked" | "subscription.updated" | "webhook.disabled" | "webhook.test")[] | null;
            description?: string | null;
            /** @enum {string} */
            mode?: "live" | "test";
        };
        NewWebhook: {
            id: string;
            url: string;
            /** @enum {string} */
            mode: "live" | "test";
            events: ("bulk_job.completed" | "bulk_job.failed" | "bulk_job.canceled" | "schedule.completed" | "schedule.failed" | "schedule.needs_confirmation" | "verification.completed" | "quota.warning" | "quota.exceeded" | "invite.accepted" | "member.removed" | "key.created" | "key.revoked" | "subscription.updated" | "webhook.disabled" | "webhook.test")[];
            description: string | null;
            enabled: boolean;
            /** Format: date-time */
            created_at: string;
            /** @enum {string|null} */
            disabled_reason: "owner" | "gone" | "failing" | null;
            secret: string | null;
        };
        WebhookUpdate: {
            /** Format: uri */
            url?: string;
            events?: ("bulk_job.completed" | "bulk_job.failed" | "bulk_job.canceled" | "schedule.completed" | "schedule.failed" | "schedule.needs_confirmation" | "verification.completed" | "quota.warning" | "quota.exceeded" | "invite.accepted" | "member.removed" | "key.created" | "key.revoked" | "subscription.updated" | "webhook.disabled" | "webhook.test")[] | null;
            description?: string | null;
            enabled?: boolean;
        };
        Webhook: {
            id: string;
            url: string;
            /** @enum {string} */
            mode: "live" | "test";
            events: ("bulk_job.completed" | "bulk_job.failed" | "bulk_job.canceled" | "schedule.completed" | "schedule.failed" | "schedule.needs_confirmation" | "verification.completed" | "quota.warning" | "quota.exceeded" | "invite.accepted" | "member.removed" | "key.created" | "key.revoked" | "subscription.updated" | "webhook.disabled" | "webhook.test")[];
            description: string | null;
            enabled: boolean;
            /** Format: date-time */
            created_at: string;
            /** @enum {string|null} */
            disabled_reason: "owner" | "gone" | "failing" | null;
        };
        Attempt: {
            /** Format: date-time */
            at: string;
            status_code: number | null;
            duration_ms: number;
            /** @enum {string|null} */
            error: "http_status" | "redirect" | "timeout" | "dns" | "address_not_allowed" | "connection" | "tls" | "protocol" | "content_erased" | "secret_unreadable" | null;
            response_excerpt: string | null;
        };
        Delivery: {
            id: string;
            event_id: string;
            /** @enum {string} */
            type: "bulk_job.completed" | "bulk_job.failed" | "bulk_job.canceled" | "schedule.completed" | "schedule.failed" | "schedule.needs_confirmation" | "verification.completed" | "quota.warning" | "quota.exceeded" | "invite.accepted" | "member.removed" | "key.created" | "key.revoked" | "subscription.updated" | "webhook.disabled" | "webhook.test";
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed";
            /** Format: date-time */
            created_at: string;
            attempts: components["schemas"]["Attempt"][];
            /** Format: date-time */
            next_attempt_at: string | null;
        };
        DeliveryPage: {
            data: components["schemas"]["Delivery"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        RetryFailed: {
            /** Format: date-time */
            since: string;
        };
        RetriedDeliveries: {
            retried: number;
        };
        DeliveryDetail: {
            id: string;
            event_id: string;
            /** @enum {string} */
            type: "bulk_job.completed" | "bulk_job.failed" | "bulk_job.canceled" | "schedule.completed" | "schedule.failed" | "schedule.needs_confirmation" | "verification.completed" | "quota.warning" | "quota.exceeded" | "invite.accepted" | "member.removed" | "key.created" | "key.revoked" | "subscription.updated" | "webhook.disabled" | "webhook.test";
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed";
            /** Format: date-time */
            created_at: string;
            attempts: components["schemas"]["Attempt"][];
            /** Format: date-time */
            next_attempt_at: string | null;
            /** Format: date-time */
            timestamp: string;
            data: {
                [key: string]: unknown;
            };
        };
        BillingSubscribe: {
            tier: string;
            /** Format: uri */
            success_url?: string;
            /** Format: uri */
            cancel_url?: string;
        };
        BillingLink: {
            /** Format: uri */
            url: string;
        };
        BillingPortalRequest: {
            /** Format: uri */
            return_url?: string;
        };
        PlanPrice: {
            amount: number;
            currency: string;
            interval: string;
            interval_count: number;
        };
        Plan: {
            tier: string;
            is_current: boolean;
            daily_quota: number | null;
            requests_per_second: number | null;
            bulk_limit: number;
            retention_days: number;
            features: ("verify" | "refresh" | "bulk" | "schedules" | "domains")[];
            price: components["schemas"]["PlanPrice"] | null;
        };
        PlanList: {
            data: components["schemas"]["Plan"][];
        };
        Invoice: {
            id: string;
            number: string | null;
            status: string | null;
            amount_due: number;
            amount_paid: number;
            currency: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            period_start: string;
            /** Format: date-time */
            period_end: string;
            hosted_url: string | null;
            pdf_url: string | null;
        };
        InvoicePage: {
            data: components["schemas"]["Invoice"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        SystemPart: {
            name: string;
            /** @enum {string} */
            status: "ok" | "degraded";
            reason: string | null;
        };
        SystemCheckFinding: {
            /** @enum {string} */
            code: "other" | "check_failed" | "offline" | "offline_wanted" | "no_name_server" | "smtp_disabled" | "no_route" | "leaves_directly" | "address_of_machine" | "address_not_of_machine" | "proxy_works" | "proxy_fails" | "no_server_to_dial" | "source_address_fails" | "proxy_does_not_work" | "another_server_answers" | "none_reached" | "none_reached_from_address" | "none_reached_through_proxy" | "refused" | "some_not_reached" | "servers_greet" | "servers_greet_through_proxy" | "no_server_greets" | "no_starttls" | "starttls_refused" | "session_encrypted" | "handshake_fails" | "egress_fails" | "public_address_unknown" | "behind_proxy" | "behind_gateway" | "name_is_literal" | "name_not_public" | "name_not_looked_up" | "name_without_address" | "name_resolves" | "name_resolves_elsewhere" | "reverse_not_looked_up" | "reverse_missing" | "reverse_name_not_looked_up" | "reverse_not_back" | "reverse_is_other" | "reverse_matches" | "domain_accepts" | "domain_null_mx" | "domain_without_mx" | "domain_without_mail" | "spf_pass" | "spf_fail" | "spf_softfail" | "spf_neutral" | "spf_missing" | "spf_unreadable" | "spf_not_looked_up" | "spf_depends" | "not_listed" | "listed" | "list_refuses_resolver" | "list_silent" | "list_without_test" | "list_lists_all";
            params: {
                [key: string]: unknown;
            };
        };
        SystemCheckRemedy: {
            /** @enum {string} */
            code: "other" | "report" | "connect_machine" | "add_address" | "correct_proxy" | "see_resolver" | "see_egress" | "see_port_25" | "end_redirection" | "open_port_25" | "read_reply" | "try_again" | "end_inspection" | "set_public_address" | "set_name_to_reverse" | "set_whole_name" | "give_name_address" | "correct_name_address" | "set_reverse" | "set_reverse_and_forward" | "use_reverse_or_set" | "set_sender" | "give_mx_or_set_sender" | "add_to_spf" | "add_spf" | "correct_spf" | "include_in_spf" | "wait_for_removal" | "request_removal" | "remove_cause" | "own_resolver_for_list" | "look_up" | "list_closed" | "list_broken";
            params: {
                [key: string]: unknown;
            };
        };
        SystemCheck: {
            name: string;
            egress: string;
            /** @enum {string} */
            status: "pass" | "warn" | "fail" | "unknown";
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            checked_at: string;
            detail: string;
            findings: components["schemas"]["SystemCheckFinding"][];
            remedy: components["schemas"]["SystemCheckRemedy"] | null;
        };
        SystemQueue: {
            name: string;
            waiting: number;
            active: number;
            oldest_seconds: number;
        };
        SystemWarmup: {
            provider: string;
            ceiling: number;
            used: number;
        };
        SystemEgress: {
            name: string;
            /** @enum {string|null} */
            cause: "rejected" | "unreachable" | null;
            pause_seconds: number;
            /** @enum {string|null} */
            blocked_by: "pause" | "address" | "provider" | "processes" | "first_session" | "opening" | "egress" | "breaker" | "ceiling" | "rejected" | "unreachable" | "no_route" | "dns_error" | "no_address" | "unsafe_mail_server" | null;
            reason: string | null;
            probes: {
                replied: number;
                rejected: number;
                no_reply: number;
                egress_failed: number;
                no_route: number;
            };
            warmup: components["schemas"]["SystemWarmup"][];
        };
        SystemProvider: {
            provider: string;
            egress: string;
            limit: number;
            used: number;
            waiting: number;
            /** @enum {string|null} */
            blocked_by: "pause" | "address" | "provider" | "processes" | "first_session" | "opening" | "egress" | "breaker" | "ceiling" | "rejected" | "unreachable" | "no_route" | "dns_error" | "no_address" | "unsafe_mail_server" | null;
            reason: string | null;
        };
        SystemBreakers: {
            /** @enum {string} */
            scope: "domain" | "host" | "provider" | "egress";
            provider: string | null;
            open: number;
            reason: string;
        };
        SystemVerdicts: {
            total: number;
            by_status: {
                deliverable: number;
                undeliverable: number;
                risky: number;
                unknown: number;
            };
            unknown_by_reason: {
                accepted_email?: number;
                delivered?: number;
                catch_all?: number;
                catch_all_unknown?: number;
                disposable?: number;
                role?: number;
                mailbox_full?: number;
                inconclusive_provider?: number;
                blocked_domain?: number;
                invalid_syntax?: number;
                invalid_domain?: number;
                no_mail_server?: number;
                null_mx?: number;
                mailbox_not_found?: number;
                mailbox_disabled?: number;
                bounced?: number;
                smtputf8_unsupported?: number;
                dns_error?: number;
                no_connect?: number;
                timeout?: number;
                greylisted?: number;
                temporary_failure?: number;
                sender_blocked?: number;
                recipient_policy?: number;
                smtp_protocol_error?: number;
                smtp_disabled?: number;
                unsafe_mail_server?: number;
                rate_limited?: number;
                egress_unavailable?: number;
                internal_error?: number;
            };
        };
        System: {
            /** Format: date-time */
            at: string;
            command: string;
            parts: components["schemas"]["SystemPart"][];
            checks: components["schemas"]["SystemCheck"][];
            queues: components["schemas"]["SystemQueue"][];
            egresses: components["schemas"]["SystemEgress"][];
            providers: components["schemas"]["SystemProvider"][];
            breakers: components["schemas"]["SystemBreakers"][];
            verdicts: components["schemas"]["SystemVerdicts"];
        };
        SystemCheckDay: {
            /** Format: date */
            date: string;
            /** @enum {string} */
            status: "pass" | "warn" | "fail" | "unknown";
            detail: string | null;
            findings: components["schemas"]["SystemCheckFinding"][];
            remedy: components["schemas"]["SystemCheckRemedy"] | null;
        };
        SystemCheckDays: {
            name: string;
            egress: string;
            days: components["schemas"]["SystemCheckDay"][];
        };
        SystemCheckHistory: {
            /** Format: date */
            first_day: string;
            /** Format: date */
            last_day: string;
            checks: components["schemas"]["SystemCheckDays"][];
        };
        SystemFinding: {
            check: string;
            egress: string | null;
            /** @enum {string} */
            level: "pass" | "warn" | "fail" | "skipped";
            found: string;
            why: string;
            what_to_do: string | null;
            findings: components["schemas"]["SystemCheckFinding"][];
            remedy: components["schemas"]["SystemCheckRemedy"] | null;
        };
        SystemExamination: {
            /** Format: date-time */
            at: string;
            findings: components["schemas"]["SystemFinding"][];
        };
        User: {
            id: string;
            email: string;
            /** Format: date-time */
            created_at: string;
        };
        PerAddressLimits: {
            per_minute?: number;
            per_day?: number;
        };
        KeyClient: {
            id: string;
            name: string | null;
            verified: boolean;
        };
        Key: {
            id: string;
            name: string;
            /** @enum {string} */
            mode: "live" | "test";
            /** @enum {string} */
            kind: "secret" | "publishable" | "oauth";
            /** @enum {string} */
            prefix: "rcpt_live_" | "rcpt_test_" | "rcpt_pub_";
            last4: string;
            service: boolean;
            user_id: string | null;
            team_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            scopes: ("verify" | "lists" | "read" | "webhooks" | "outcomes" | "all" | "usage")[] | null;
            allowed_cidrs: string[] | null;
            allowed_origins: string[] | null;
            per_address: components["schemas"]["PerAddressLimits"] | null;
            per_day: number | null;
            client: components["schemas"]["KeyClient"] | null;
            key: string | null;
        };
        UpgradePrice: {
            tier: string;
            amount: number;
            currency: string;
            interval: string;
            interval_count: number;
        };
        Me: {
            user: components["schemas"]["User"] | null;
            team: components["schemas"]["Team"];
            /** @enum {string} */
            role: "member" | "admin" | "owner";
            key: components["schemas"]["Key"];
            operator: boolean;
            paused: boolean;
            features: ("verify" | "refresh" | "bulk" | "schedules" | "domains")[];
            bulk_limit: number;
            upgrades: string[];
            upgrade_prices: components["schemas"]["UpgradePrice"][];
        };
        AcceptInvite: {
            token: string;
        };
        NewKey: {
            id: string;
            name: string;
            /** @enum {string} */
            mode: "live" | "test";
            /** @enum {string} */
            kind: "secret" | "publishable" | "oauth";
            /** @enum {string} */
            prefix: "rcpt_live_" | "rcpt_test_" | "rcpt_pub_";
            last4: string;
            service: boolean;
            user_id: string | null;
            team_id: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            scopes: ("verify" | "lists" | "read" | "webhooks" | "outcomes" | "all" | "usage")[] | null;
            allowed_cidrs: string[] | null;
            allowed_origins: string[] | null;
            per_address: components["schemas"]["PerAddressLimits"] | null;
            per_day: number | null;
            client: components["schemas"]["KeyClient"] | null;
            key: string | null;
        };
        Joined: {
            team: components["schemas"]["Team"];
            member: components["schemas"]["Member"];
            key: components["schemas"]["NewKey"] | null;
        };
        SignupOptions: {
            /** @enum {string} */
            mode: "open" | "confirm" | "closed";
        };
        SignupWithTeam: {
            email: string;
            team_name: string;
            /** @enum {string} */
            language?: "en" | "de";
        };
        SignupWithInvite: {
            email: string;
            invite_token: string;
            /** @enum {string} */
            language?: "en" | "de";
        };
        SignupRequest: components["schemas"]["SignupWithTeam"] | components["schemas"]["SignupWithInvite"];
        Signup: {
            user: components["schemas"]["User"];
            team: components["schemas"]["Team"];
            key: components["schemas"]["NewKey"];
        };
        SignupConfirm: {
            token: string;
        };
        SignInOptions: {
            by_mail: boolean;
            oidc: boolean;
        };
        SignInRequest: {
            email: string;
            /** @enum {string} */
            language?: "en" | "de";
        };
        SignInConfirm: {
            token: string;
            team_id?: string;
        };
        SignInTeam: {
            id: string;
            name: string;
            /** @enum {string} */
            role: "member" | "admin" | "owner";
        };
        SignIn: {
            user: components["schemas"]["User"];
            teams: components["schemas"]["SignInTeam"][];
            key: components["schemas"]["NewKey"] | null;
        };
        KeyPage: {
            data: components["schemas"]["Key"][];
            has_more: boolean;
            next_cursor: string | null;
        };
        ApiKeyCreate: {
            name: string;
            /** @enum {string} */
            mode?: "live" | "test";
            service?: boolean;
            /** Format: date-time */
            expires_at?: string | null;
            /** @enum {string} */
            kind?: "secret" | "publishable";
            scopes?: ("verify" | "lists" | "read" | "webhooks" | "outcomes" | "all")[];
            allowed_cidrs?: string[];
            allowed_origins?: string[];
            per_address?: components["schemas"]["PerAddressLimits"];
            per_day?: number;
        };
        ApiKeyUpdate: {
            name: string;
        };
        ApiKeyRotate: {
            grace_seconds?: number;
        };
        BulkJobLinks: {
            /** Format: uri */
            job: string;
            /** Format: uri */
            results: string;
        };
        BulkJobEndedEvent: {
            job_id: string;
            /** @enum {string} */
            mode: "live" | "test";
            /** @enum {string} */
            status: "completed" | "failed" | "canceled";
            failure: string | null;
            total: number;
            empty: number;
            unique: number;
            processed: number;
            by_status: {
                deliverable?: number;
                undeliverable?: number;
                risky?: number;
                unknown?: number;
            };
            by_reason: {
                accepted_email?: number;
                delivered?: number;
                catch_all?: number;
                catch_all_unknown?: number;
                disposable?: number;
                role?: number;
                mailbox_full?: number;
                inconclusive_provider?: number;
                blocked_domain?: number;
                invalid_syntax?: number;
                invalid_domain?: number;
                no_mail_server?: number;
                null_mx?: number;
                mailbox_not_found?: number;
                mailbox_disabled?: number;
                bounced?: number;
                smtputf8_unsupported?: number;
                dns_error?: number;
                no_connect?: number;
                timeout?: number;
                greylisted?: number;
                temporary_failure?: number;
                sender_blocked?: number;
                recipient_policy?: number;
                smtp_protocol_error?: number;
                smtp_disabled?: number;
                unsafe_mail_server?: number;
                rate_limited?: number;
                egress_unavailable?: number;
                internal_error?: number;
            };
            links: components["schemas"]["BulkJobLinks"];
        };
        ScheduleLinks: {
            /** Format: uri */
            schedule: string;
            /** Format: uri */
            runs: string;
        };
        ScheduleRunEndedEvent: {
            schedule_id: string;
            job_id: string | null;
            rows: number;
            unchanged: number;
            verified: number;
            new: number;
            changed: {
                deliverable?: number;
                undeliverable?: number;
                risky?: number;
                unknown?: number;
            };
            written: number;
            not_written: number;
            postponed: number;
            run_id: string;
            failure: string | null;
            enabled: boolean;
            links: components["schemas"]["ScheduleLinks"];
            /** @enum {string} */
            status: "completed" | "discarded" | "failed";
        };
        ScheduleConfirmationEvent: {
            subscribers: number;
            share: number;
            reasons: components["schemas"]["ScheduleReasonCount"][];
            /** Format: date-time */
            confirm_by: string;
        };
        ScheduleNeedsConfirmationEvent: {
            schedule_id: string;
            job_id: string | null;
            rows: number;
            unchanged: number;
            verified: number;
            new: number;
            changed: {
                deliverable?: number;
                undeliverable?: number;
                risky?: number;
                unknown?: number;
            };
            written: number;
            not_written: number;
            postponed: number;
            run_id: string;
            failure: string | null;
            enabled: boolean;
            links: components["schemas"]["ScheduleLinks"];
            /** @enum {string} */
            status: "needs_confirmation";
            confirmation: components["schemas"]["ScheduleConfirmationEvent"];
        };
        VerificationCompletedEventWithVerdict: {
            check_id: string;
            verdict: components["schemas"]["Verdict"];
        };
        QuotaEvent: {
            /** @enum {string} */
            mode: "live" | "test";
            /** Format: date */
            date: string;
            limit: number;
            used: number;
        };
        InviteAcceptedEvent: {
            member_id: string;
            user_id: string;
            invite_id: string;
            /** @enum {string} */
            role: "member" | "admin" | "owner";
        };
        MemberEvent: {
            member_id: string;
            user_id: string;
        };
        KeyEvent: {
            key_id: string;
            user_id: string | null;
            /** @enum {string} */
            mode: "live" | "test";
        };
        SubscriptionEvent: {
            tier: string;
            subscription_tier: string | null;
            status: string | null;
            /** Format: date-time */
            ends_at: string | null;
        };
        WebhookDisabledEvent: {
            webhook_id: string;
            /** @enum {string} */
            mode: "live" | "test";
            /** @enum {string} */
            reason: "owner" | "gone" | "failing";
        };
        WebhookTestEvent: {
            webhook_id: string;
            /** @enum {string} */
            mode: "live" | "test";
        };
        Problem: {
            /** Format: uri */
            type: string;
            title: string;
            /** @enum {integer} */
            status: 400 | 401 | 402 | 403 | 404 | 405 | 408 | 409 | 412 | 413 | 414 | 415 | 422 | 429 | 431 | 500 | 502 | 503;
            detail: string;
            instance: string;
            /** @enum {string} */
            code: "address_in_use" | "address_not_allowed" | "already_blocked" | "already_member" | "already_overridden" | "authorization_request_gone" | "billing_unconfigured" | "bulk_too_large" | "cannot_remove_owner" | "certificate_unavailable" | "daily_quota_exceeded" | "headers_too_large" | "idempotency_in_progress" | "idempotency_key_reused" | "internal_error" | "invalid_confirmation" | "invalid_credential" | "invalid_cursor" | "invalid_event" | "invalid_event_signature" | "invalid_idempotency_key" | "invalid_invite" | "invalid_request" | "invalid_sign_in_link" | "invalid_signature" | "key_not_active" | "last_owner" | "limit_reached" | "live_key_required" | "malformed_http" | "malformed_json" | "malformed_list" | "malformed_report" | "method_not_allowed" | "missing_credential" | "missing_signature" | "no_billing_customer" | "no_confirmation_needed" | "no_user" | "not_found" | "origin_not_allowed" | "paused" | "payload_too_large" | "payment_provider_refused" | "payment_provider_unavailable" | "policy_changed" | "queue_full" | "rate_limited" | "reading_too_costly" | "request_refused" | "request_timeout" | "role_required" | "scope_required" | "secret_key_required" | "secret_unreadable" | "signup_refused" | "target_too_long" | "too_many_exports" | "too_many_held_lists" | "too_many_outcomes" | "too_many_streams" | "too_many_unread" | "too_many_unverified" | "unavailable" | "unknown_charset" | "unsupported_media_type" | "upgrade_required";
            request_id: string;
            errors?: {
                pointer: string;
                code: string;
                message: string;
                limit?: number;
            }[];
        };
        AnyVerdict: components["schemas"]["Verdict"] | components["schemas"]["ReducedVerdict"];
        AnyVerdicts: components["schemas"]["Verdict"] | components["schemas"]["Verdicts"] | components["schemas"]["ReducedVerdict"];
        OutcomeReport: components["schemas"]["Outcome"] | components["schemas"]["OutcomeList"];
    };
    responses: never;
    parameters: {
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    verify: {
        parameters: {
            query: {
                email: string;
                refresh?: boolean;
                max_age?: number;
                timeout?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnyVerdict"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyInBody: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnyVerdicts"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    explainReply: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplyExplain"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplyExplanation"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    lookUpDomain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Domain"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmProof: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProofConfirm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofConfirmation"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    proofKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofKeys"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    verifyBulk: {
        parameters: {
            query?: {
                email_column?: string;
                header?: boolean;
                header_line?: number;
                delimiter?: string;
                extract_address?: boolean;
                quotes?: boolean;
                encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-874" | "windows-1250" | "windows-1251" | "windows-1252" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258" | "iso-8859-1" | "iso-8859-2" | "iso-8859-3" | "iso-8859-4" | "iso-8859-5" | "iso-8859-6" | "iso-8859-7" | "iso-8859-8" | "iso-8859-10" | "iso-8859-13" | "iso-8859-14" | "iso-8859-15" | "iso-8859-16" | "ibm866" | "koi8-r" | "koi8-u" | "macintosh" | "x-mac-cyrillic" | "shift_jis" | "euc-jp" | "iso-2022-jp" | "euc-kr" | "gb18030" | "big5";
                name?: string;
                refresh?: boolean;
                max_age?: number;
                hold?: boolean;
                notify?: "en" | "de";
                unique?: "address" | "canonical";
            };
            header?: {
                "Content-Encoding"?: "gzip" | "identity";
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkVerifyRequest"];
                "text/csv": string;
                "application/x-ndjson": string;
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkJob"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    startBulkJob: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkJob"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBulkJobs: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: "held" | "queued" | "running" | "completed" | "canceled" | "failed";
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkJobPage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    bulkJob: {
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkJob"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteBulkJob: {
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
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateBulkJob: {
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
                "application/json": components["schemas"]["BulkJobUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkJob"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    cancelBulkJob: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkJob"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finishBulkJob: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkJob"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    bulkJobEvents: {
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    bulkResults: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: string;
                reason?: "accepted_email" | "delivered" | "catch_all" | "catch_all_unknown" | "disposable" | "role" | "mailbox_full" | "inconclusive_provider" | "blocked_domain" | "invalid_syntax" | "invalid_domain" | "no_mail_server" | "null_mx" | "mailbox_not_found" | "mailbox_disabled" | "bounced" | "smtputf8_unsupported" | "dns_error" | "no_connect" | "timeout" | "greylisted" | "temporary_failure" | "sender_blocked" | "recipient_policy" | "smtp_protocol_error" | "smtp_disabled" | "unsafe_mail_server" | "rate_limited" | "egress_unavailable" | "internal_error";
                q?: string;
                distinct?: boolean;
                formula_guard?: boolean;
                bom?: boolean;
                delimiter?: string;
                columns?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkResultPage"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    bulkBreakdown: {
        parameters: {
            query?: {
                by?: "domain" | "provider";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkBreakdown"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    checkSchedule: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleCreate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleCheck"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    checkScheduleChange: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleCheckChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleCheck"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SchedulePage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createSchedule: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getSchedule: {
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteSchedule: {
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
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateSchedule: {
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
                "application/json": components["schemas"]["ScheduleUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    runSchedule: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleRun"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listScheduleRuns: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleRunPage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmScheduleRun: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleRun"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    discardScheduleRun: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleRun"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOutcomes: {
        parameters: {
            query: {
                limit?: number;
                cursor?: string;
                email: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomePage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reportOutcomes: {
        parameters: {
            query?: {
                email_column?: string;
                header?: boolean;
                header_line?: number;
                delimiter?: string;
                extract_address?: boolean;
                quotes?: boolean;
                encoding?: "utf-8" | "utf-16le" | "utf-16be" | "windows-874" | "windows-1250" | "windows-1251" | "windows-1252" | "windows-1253" | "windows-1254" | "windows-1255" | "windows-1256" | "windows-1257" | "windows-1258" | "iso-8859-1" | "iso-8859-2" | "iso-8859-3" | "iso-8859-4" | "iso-8859-5" | "iso-8859-6" | "iso-8859-7" | "iso-8859-8" | "iso-8859-10" | "iso-8859-13" | "iso-8859-14" | "iso-8859-15" | "iso-8859-16" | "ibm866" | "koi8-r" | "koi8-u" | "macintosh" | "x-mac-cyrillic" | "shift_jis" | "euc-jp" | "iso-2022-jp" | "euc-kr" | "gb18030" | "big5";
            };
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OutcomeReport"];
                "text/csv": string;
                "application/x-ndjson": string;
                "message/rfc822": string;
                "multipart/form-data": {
                    /** Format: binary */
                    file: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeReceipt"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    forgetOutcomes: {
        parameters: {
            query: {
                email: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getAccuracy: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accuracy"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOutcomeSources: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutcomeSourcePage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addOutcomeSource: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OutcomeSourceCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedOutcomeSource"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteOutcomeSource: {
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
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receiveOutcomeEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventReceipt"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    usageToday: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageToday"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    usageHistory: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DailyUsage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    teamHistory: {
        parameters: {
            query?: {
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DailyUsage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyPage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewKey"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    key: {
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeKey: {
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    renameKey: {
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
                "application/json": components["schemas"]["ApiKeyUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApiKeyRotate"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewKey"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signupOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignupOptions"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignupRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Signup"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmSignup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignupConfirm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Signup"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    signInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInOptions"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    requestSignInLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirmSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInConfirm"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    deleteTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    updateTeam: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TeamUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Team"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeMember: {
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
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    changeRole: {
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
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listFailedRequests: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                request_id?: string;
                code?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailedRequestPage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listInvites: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: "pending" | "accepted" | "revoked" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitePage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createInvite: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewInvite"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    invite: {
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invite"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revokeInvite: {
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
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readInvite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InviteRead"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InviteOffer"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acceptTeamInvite: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvite"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Joined"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acceptInvite: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvite"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Joined"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                actor?: string;
                action?: string;
                from?: string;
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listBlocklist: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlocklistPage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addToBlocklist: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlocklistAdd"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BlocklistEntry"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeFromBlocklist: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    policy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replacePolicy: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    previewPolicy: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyPreviewRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyPreview"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    countPendingOverrides: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingOverrides"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listCandidates: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisposableCandidatePage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    mergeCandidate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisposableCandidate"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rejectCandidate: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisposableCandidate"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listOverrides: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisposableOverridePage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    addOverride: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisposableOverrideAdd"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisposableOverride"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    removeOverride: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookPage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookCreate"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithDeliveries"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
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
                "application/json": components["schemas"]["WebhookUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
                status?: "pending" | "succeeded" | "failed";
                type?: "bulk_job.completed" | "bulk_job.failed" | "bulk_job.canceled" | "schedule.completed" | "schedule.failed" | "schedule.needs_confirmation" | "verification.completed" | "quota.warning" | "quota.exceeded" | "invite.accepted" | "member.removed" | "key.created" | "key.revoked" | "subscription.updated" | "webhook.disabled" | "webhook.test";
                from?: string;
                to?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryFailedDeliveries: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RetryFailed"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RetriedDeliveries"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryDetail"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retryDelivery: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
                delivery_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    subscribe: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BillingSubscribe"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingLink"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    openPortal: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BillingPortalRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BillingLink"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listPlans: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanList"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvoicePage"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    receiveStripeEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    system: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["System"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    systemCheckHistory: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemCheckHistory"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    examineSystem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemExamination"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    livez: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Alive"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Ready"];
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    onBulkJobCompleted: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "bulk_job.completed";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["BulkJobEndedEvent"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBulkJobFailed: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "bulk_job.failed";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["BulkJobEndedEvent"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onBulkJobCanceled: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "bulk_job.canceled";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["BulkJobEndedEvent"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onScheduleCompleted: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "schedule.completed";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["ScheduleRunEndedEvent"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onScheduleFailed: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "schedule.failed";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["ScheduleRunEndedEvent"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onScheduleNeedsConfirmation: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "schedule.needs_confirmation";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["ScheduleNeedsConfirmationEvent"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onVerificationCompleted: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "verification.completed";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["VerificationCompletedEventWithVerdict"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onQuotaWarning: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "quota.warning";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["QuotaEvent"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onQuotaExceeded: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "quota.exceeded";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["QuotaEvent"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onInviteAccepted: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "invite.accepted";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["InviteAcceptedEvent"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMemberRemoved: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "member.removed";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["MemberEvent"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onKeyCreated: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "key.created";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["KeyEvent"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onKeyRevoked: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "key.revoked";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["KeyEvent"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onSubscriptionUpdated: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "subscription.updated";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["SubscriptionEvent"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookDisabled: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "webhook.disabled";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookDisabledEvent"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onWebhookTest: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "webhook.test";
                    /** Format: date-time */
                    timestamp: string;
                    data: components["schemas"]["WebhookTestEvent"];
                };
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
