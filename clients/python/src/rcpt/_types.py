"""Types of the API, generated from /openapi.json. Do not edit."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class Alive(TypedDict):
    status: Literal["ok"]


class Ready(TypedDict):
    status: Literal["ok", "degraded"]
    checks: Dict[str, Literal["ok", "degraded"]]
    reasons: Dict[str, str]
    paused: bool


class Member(TypedDict):
    id: str
    user_id: str
    email: str
    role: Literal["member", "admin", "owner"]
    confirmed: bool
    joined_at: str
    last_active_at: Optional[str]


class Team(TypedDict):
    id: str
    name: str
    tier: str
    role: Literal["member", "admin", "owner"]
    created_at: str
    retention_days: int
    max_retention_days: int
    role_is_risky: bool
    members: List[Member]


class TeamUpdate(TypedDict, total=False):
    name: str
    retention_days: int
    role_is_risky: bool


class RoleChange(TypedDict):
    role: Literal["member", "admin", "owner"]


class Invite(TypedDict):
    id: str
    email: str
    role: Literal["member", "admin"]
    status: Literal["pending", "accepted", "revoked", "expired"]
    invited_by: str
    by_mail: bool
    created_at: str
    expires_at: str
    accepted_at: Optional[str]


class InvitePage(TypedDict):
    data: List[Invite]
    has_more: bool
    next_cursor: Optional[str]


class _InviteCreateRequired(TypedDict):
    email: str


class InviteCreate(_InviteCreateRequired, total=False):
    role: Literal["member", "admin"]
    expires_in_days: int
    language: Literal["en", "de"]


class NewInvite(TypedDict):
    id: str
    email: str
    role: Literal["member", "admin"]
    status: Literal["pending", "accepted", "revoked", "expired"]
    invited_by: str
    by_mail: bool
    created_at: str
    expires_at: str
    accepted_at: Optional[str]
    token: Optional[str]
    accept_url: Optional[str]


class InviteRead(TypedDict):
    token: str


class InviteOffer(TypedDict):
    team: str
    invited_by: Optional[str]
    email: str
    role: Literal["member", "admin"]
    expires_at: str


class Quota(TypedDict):
    limit: Optional[int]
    used: int
    reserved: int
    remaining: Optional[int]
    resets_at: str


class UsageOfKeyByStatus(TypedDict):
    deliverable: int
    undeliverable: int
    risky: int
    unknown: int


class UsageOfKey(TypedDict):
    single: int
    bulk: int
    total: int
    free: int
    by_status: UsageOfKeyByStatus
    key_id: str
    rate_limited: int


class UsageTodayByStatus(TypedDict):
    deliverable: int
    undeliverable: int
    risky: int
    unknown: int


class UsageToday(TypedDict):
    single: int
    bulk: int
    total: int
    free: int
    by_status: UsageTodayByStatus
    date: str
    tier: str
    quota: Quota
    keys: List[UsageOfKey]


class UsageOfDayByStatus(TypedDict):
    deliverable: int
    undeliverable: int
    risky: int
    unknown: int


class UsageOfDay(TypedDict):
    single: int
    bulk: int
    total: int
    free: int
    by_status: UsageOfDayByStatus
    date: str


class DailyUsage(TypedDict):
    data: List[UsageOfDay]


class AuditActor(TypedDict):
    user_id: Optional[str]
    key_id: Optional[str]
    address: Optional[str]


class AuditSubject(TypedDict):
    type: str
    id: str


class AuditEntry(TypedDict):
    id: str
    at: str
    actor: AuditActor
    action: str
    subject: AuditSubject
    changes: Dict[str, Any]
    request_id: Optional[str]


class AuditPage(TypedDict):
    data: List[AuditEntry]
    has_more: bool
    next_cursor: Optional[str]


class FailedRequest(TypedDict):
    id: str
    request_id: str
    at: str
    key_id: str
    method: str
    route: Optional[str]
    status: int
    code: Optional[str]
    duration_ms: int


class FailedRequestPage(TypedDict):
    data: List[FailedRequest]
    has_more: bool
    next_cursor: Optional[str]


class VerdictChecks(TypedDict):
    disposable: bool
    privacy_relay: bool
    role: bool
    free: bool
    subaddress: bool
    no_reply: bool
    catch_all: Optional[bool]
    mailbox_full: Optional[bool]
    disabled: Optional[bool]
    smtputf8: Optional[bool]


class MailExchanger(TypedDict):
    host: str
    preference: int


class VerdictDns(TypedDict):
    mx_found: Optional[bool]
    implicit_mx: Optional[bool]
    null_mx: Optional[bool]
    mx: List[MailExchanger]
    provider: Optional[str]
    error: Optional[str]


class SmtpDialogueLine(TypedDict):
    source: Literal["connection", "client", "server"]
    text: str


class _VerdictSmtpRequired(TypedDict):
    stage: Optional[Literal["connect", "banner", "ehlo", "starttls", "mail", "rcpt"]]
    code: Optional[int]
    enhanced_code: Optional[str]
    category: Optional[Literal["accepted", "rate_limited", "mailbox_not_found", "mailbox_disabled", "mailbox_full", "greylisted", "temporary", "sender_blocked", "policy", "protocol", "smtputf8", "null_mx"]]
    mx_host: Optional[str]
    attempts: int
    tls: Optional[bool]
    text: Optional[str]
    rule: Optional[str]
    egress: Optional[str]


class VerdictSmtp(_VerdictSmtpRequired, total=False):
    dialogue: List[SmtpDialogueLine]


class VerdictPolicy(TypedDict):
    decision: Literal["accept", "review", "reject"]
    rule: Optional[str]


class VerdictOutcome(TypedDict):
    kind: Literal["delivered", "bounced", "complained"]
    at: str
    code: Optional[int]
    enhanced_code: Optional[str]
    text: Optional[str]


class VerdictEstimate(TypedDict):
    deliverable: float
    low: float
    high: float
    basis: Literal["address", "domain", "host", "reason"]
    outcomes: int


class ListMatch(TypedDict):
    list: Literal["blocklist", "disposable", "privacy_relay", "role"]
    scope: Literal["global", "team"]
    pattern: str
    source: str


class Verdict(TypedDict):
    email: str
    normalized_email: Optional[str]
    canonical_email: Optional[str]
    local_part: Optional[str]
    domain: Optional[str]
    status: Literal["deliverable", "undeliverable", "risky", "unknown"]
    reason: Literal["accepted_email", "delivered", "catch_all", "catch_all_unknown", "disposable", "role", "mailbox_full", "inconclusive_provider", "blocked_domain", "invalid_syntax", "invalid_domain", "no_mail_server", "null_mx", "mailbox_not_found", "mailbox_disabled", "bounced", "smtputf8_unsupported", "dns_error", "no_connect", "timeout", "greylisted", "temporary_failure", "sender_blocked", "recipient_policy", "smtp_protocol_error", "smtp_disabled", "unsafe_mail_server", "rate_limited", "egress_unavailable", "internal_error"]
    score: int
    did_you_mean: Optional[str]
    checks: VerdictChecks
    dns: VerdictDns
    smtp: Optional[VerdictSmtp]
    policy: VerdictPolicy
    outcome: Optional[VerdictOutcome]
    estimate: Optional[VerdictEstimate]
    list_match: Optional[ListMatch]
    retry_after: Optional[int]
    verified_at: str
    cached: bool
    age_seconds: int
    duration_ms: int


class ReducedPolicy(TypedDict):
    decision: Literal["accept", "review", "reject"]


class ReducedVerdict(TypedDict):
    email: str
    status: Literal["deliverable", "undeliverable", "risky", "unknown"]
    reason: Literal["accepted_email", "delivered", "catch_all", "catch_all_unknown", "disposable", "role", "mailbox_full", "inconclusive_provider", "blocked_domain", "invalid_syntax", "invalid_domain", "no_mail_server", "null_mx", "mailbox_not_found", "mailbox_disabled", "bounced", "smtputf8_unsupported", "dns_error", "no_connect", "timeout", "greylisted", "temporary_failure", "sender_blocked", "recipient_policy", "smtp_protocol_error", "smtp_disabled", "unsafe_mail_server", "rate_limited", "egress_unavailable", "internal_error"]
    did_you_mean: Optional[str]
    policy: ReducedPolicy
    proof: Optional[str]


class Verdicts(TypedDict):
    data: List[Verdict]


class _VerifyOneRequired(TypedDict):
    email: str


class VerifyOne(_VerifyOneRequired, total=False):
    refresh: bool
    max_age: int
    timeout: float
    dialogue: bool


class _VerifyManyRequired(TypedDict):
    emails: List[str]


class VerifyMany(_VerifyManyRequired, total=False):
    refresh: bool
    max_age: int
    timeout: float
    dialogue: bool


class _ReplyExplainRequired(TypedDict):
    text: str


class ReplyExplain(_ReplyExplainRequired, total=False):
    stage: Literal["connect", "banner", "ehlo", "starttls", "mail", "rcpt"]
    provider: Optional[Literal["google", "microsoft", "yahoo", "yahoo_japan", "apple", "zoho", "yandex", "proton", "fastmail", "mailru", "gmx", "ionos", "ovh", "tencent", "netease", "alibaba", "amazon", "rackspace", "godaddy", "namecheap", "hostinger", "cloudflare", "gandi", "infomaniak", "strato", "telekom", "tuta", "seznam", "orange", "comcast", "migadu", "improvmx", "forwardemail", "mimecast", "proofpoint", "barracuda", "trendmicro", "cisco", "symantec", "sophos", "forcepoint", "hornetsecurity", "spamexperts", "fortinet", "appriver", "mailroute", "mailguard", "fireeye", "siteground"]]


class ReplyWeights(TypedDict):
    absent: float
    closed: float
    full: float
    none: float


class ReplyFeature(TypedDict):
    feature: str
    weight: ReplyWeights


class ReplyExplanation(TypedDict):
    category: Literal["accepted", "rate_limited", "mailbox_not_found", "mailbox_disabled", "mailbox_full", "greylisted", "temporary", "sender_blocked", "policy", "protocol", "smtputf8", "null_mx"]
    about: Optional[Literal["recipient", "customer", "sender"]]
    mailbox_state: Literal["absent", "closed", "full", "none"]
    rule: str
    features: List[ReplyFeature]
    unread: List[str]


class SpfRecord(TypedDict):
    record: Optional[str]
    error: Optional[Literal["several_records", "too_long", "invalid"]]
    all: Optional[Literal["pass", "fail", "softfail", "neutral"]]


class DmarcRecord(TypedDict):
    record: Optional[str]
    error: Optional[Literal["several_records", "too_long", "invalid"]]
    found_at: Optional[str]
    organizational_domain: str
    policy: Optional[Literal["none", "quarantine", "reject"]]
    testing: bool


class MtaStsRecord(TypedDict):
    record: Optional[str]
    error: Optional[Literal["several_records", "too_long", "invalid"]]
    id: Optional[str]


class DomainLookUpError(TypedDict):
    member: Literal["mx", "spf", "dmarc", "mta_sts"]
    error: Optional[str]


class Domain(TypedDict):
    mx_found: Optional[bool]
    implicit_mx: Optional[bool]
    null_mx: Optional[bool]
    mx: List[MailExchanger]
    provider: Optional[str]
    disposable: bool
    privacy_relay: bool
    free: bool
    domain: str
    accepts_mail: Optional[bool]
    catch_all: Optional[bool]
    catch_all_age_seconds: Optional[int]
    spf: Optional[SpfRecord]
    dmarc: Optional[DmarcRecord]
    mta_sts: Optional[MtaStsRecord]
    suppressed: bool
    suppressed_by: Optional[str]
    errors: List[DomainLookUpError]
    checked_at: str


class ProofConfirm(TypedDict):
    proof: str
    email: str


class ProofConfirmation(TypedDict):
    valid: bool
    why: Optional[Literal["malformed", "signature", "other_team", "expired", "other_email"]]
    status: Optional[Literal["deliverable", "undeliverable", "risky", "unknown"]]
    reason: Optional[Literal["accepted_email", "delivered", "catch_all", "catch_all_unknown", "disposable", "role", "mailbox_full", "inconclusive_provider", "blocked_domain", "invalid_syntax", "invalid_domain", "no_mail_server", "null_mx", "mailbox_not_found", "mailbox_disabled", "bounced", "smtputf8_unsupported", "dns_error", "no_connect", "timeout", "greylisted", "temporary_failure", "sender_blocked", "recipient_policy", "smtp_protocol_error", "smtp_disabled", "unsafe_mail_server", "rate_limited", "egress_unavailable", "internal_error"]]
    decision: Optional[Literal["accept", "review", "reject"]]
    verified_at: Optional[str]
    replayed: bool


class ProofKey(TypedDict):
    kty: Literal["OKP"]
    crv: Literal["Ed25519"]
    x: str
    kid: str
    alg: Literal["EdDSA"]
    use: Literal["sig"]


class ProofKeys(TypedDict):
    keys: List[ProofKey]


class BlocklistEntry(TypedDict):
    domain: str
    reason: Optional[str]
    created_at: str
    created_by: Optional[str]


class BlocklistPage(TypedDict):
    data: List[BlocklistEntry]
    has_more: bool
    next_cursor: Optional[str]


class _BlocklistAddRequired(TypedDict):
    domain: str


class BlocklistAdd(_BlocklistAddRequired, total=False):
    reason: Optional[str]


class PendingOverrides(TypedDict):
    pending: int


class DisposableCandidate(TypedDict):
    id: str
    domain: str
    verdict: Literal["disposable", "not_disposable"]
    note: Optional[str]
    created_at: str
    team_id: Optional[str]
    mx_host: Optional[str]
    times_seen: int


class DisposableCandidatePage(TypedDict):
    data: List[DisposableCandidate]
    has_more: bool
    next_cursor: Optional[str]


class DisposableOverride(TypedDict):
    id: str
    domain: str
    verdict: Literal["disposable", "not_disposable"]
    note: Optional[str]
    status: Literal["pending", "merged", "rejected"]
    created_at: str
    created_by: Optional[str]


class DisposableOverridePage(TypedDict):
    data: List[DisposableOverride]
    has_more: bool
    next_cursor: Optional[str]


class _DisposableOverrideAddRequired(TypedDict):
    domain: str
    verdict: Literal["disposable", "not_disposable"]


class DisposableOverrideAdd(_DisposableOverrideAddRequired, total=False):
    note: Optional[str]


class PolicyConditions(TypedDict, total=False):
    email: RuleEmail
    domain: RuleDomain
    domain_suffix: RuleDomainSuffix
    tld: RuleTld
    mx_host_suffix: RuleMxHostSuffix
    provider: RuleProvider
    reason: RuleReason
    status: RuleStatus
    checks: RuleChecks
    estimate_below: float


class PolicyRule(TypedDict):
    id: str
    when: PolicyConditions
    unless: Optional[PolicyConditions]
    decision: Literal["accept", "review", "reject"]
    note: Optional[str]
    expires_at: Optional[str]


class Policy(TypedDict):
    rules: List[PolicyRule]
    updated_at: Optional[str]
    updated_by: Optional[str]


class _PolicyRuleInputRequired(TypedDict):
    when: PolicyConditions
    decision: Literal["accept", "review", "reject"]


class PolicyRuleInput(_PolicyRuleInputRequired, total=False):
    id: str
    unless: Optional[PolicyConditions]
    note: Optional[str]
    expires_at: Optional[str]


class _PolicyUpdateRequired(TypedDict):
    rules: List[PolicyRuleInput]


class PolicyUpdate(_PolicyUpdateRequired, total=False):
    updated_at: Optional[str]
    updated_by: Optional[str]


class OutcomePage(TypedDict):
    data: List[VerdictOutcome]
    has_more: bool
    next_cursor: Optional[str]


class BounceRate(TypedDict):
    value: float
    low: float
    high: float


class AccuracyRow(TypedDict):
    status: Literal["deliverable", "undeliverable", "risky", "unknown"]
    reason: Literal["accepted_email", "delivered", "catch_all", "catch_all_unknown", "disposable", "role", "mailbox_full", "inconclusive_provider", "blocked_domain", "invalid_syntax", "invalid_domain", "no_mail_server", "null_mx", "mailbox_not_found", "mailbox_disabled", "bounced", "smtputf8_unsupported", "dns_error", "no_connect", "timeout", "greylisted", "temporary_failure", "sender_blocked", "recipient_policy", "smtp_protocol_error", "smtp_disabled", "unsafe_mail_server", "rate_limited", "egress_unavailable", "internal_error"]
    provider: Optional[str]
    verified: int
    delivered: int
    bounced: int
    complained: int
    basis: Optional[Literal["deliveries", "bounces_only"]]
    bounce_rate: Optional[BounceRate]


class Calibration(TypedDict):
    outcomes: int
    brier: Optional[float]
    error: Optional[float]


class Accuracy(TypedDict):
    data: List[AccuracyRow]
    calibration: Calibration


class _BulkEntryRequired(TypedDict):
    email: str


class BulkEntry(_BulkEntryRequired, total=False):
    ref: Optional[str]


class _BulkVerifyRequestRequired(TypedDict):
    emails: List[BulkItem]


class BulkVerifyRequest(_BulkVerifyRequestRequired, total=False):
    name: Optional[str]
    refresh: bool
    max_age: int
    notify: Optional[Literal["en", "de"]]
    unique: Optional[Literal["address", "canonical"]]


class BulkJobCreator(TypedDict):
    user_id: str
    email: str


class RowLine(TypedDict):
    index: int
    line: Optional[int]


class CsvFormat(TypedDict):
    delimiter: str
    header: Optional[int]
    column: str
    encoding: Literal["utf-8", "utf-16le", "utf-16be", "windows-874", "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258", "iso-8859-1", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15", "iso-8859-16", "ibm866", "koi8-r", "koi8-u", "macintosh", "x-mac-cyrillic", "shift_jis", "euc-jp", "iso-2022-jp", "euc-kr", "gb18030", "big5"]
    warning: Optional[str]
    lines: Optional[List[RowLine]]


class ExpectedBounces(TypedDict):
    low: int
    high: int


class ListProvider(TypedDict):
    name: str
    addresses: int


class ListEta(TypedDict):
    low: int
    high: int


class _ListWarningRequired(TypedDict):
    code: Literal["encoding", "wrong_delimiter", "repeated_header", "several_addresses", "wrapped", "not_an_address", "empty_rows"]
    message: str


class ListWarning(_ListWarningRequired, total=False):
    line: int


class ListPreview(TypedDict):
    rows: int
    unique: int
    duplicates: int
    stored: int
    invalid_syntax: int
    disposable: int
    role: int
    privacy_relay: int
    dead_domains: int
    dead_addresses: int
    providers: List[ListProvider]
    max_charge: int
    eta_seconds: ListEta
    warnings: List[ListWarning]


class BulkUsage(TypedDict):
    reserved: int
    charged: int
    returned: int


class BulkJobByStatus(TypedDict, total=False):
    deliverable: int
    undeliverable: int
    risky: int
    unknown: int


class BulkJobByReason(TypedDict, total=False):
    accepted_email: int
    delivered: int
    catch_all: int
    catch_all_unknown: int
    disposable: int
    role: int
    mailbox_full: int
    inconclusive_provider: int
    blocked_domain: int
    invalid_syntax: int
    invalid_domain: int
    no_mail_server: int
    null_mx: int
    mailbox_not_found: int
    mailbox_disabled: int
    bounced: int
    smtputf8_unsupported: int
    dns_error: int
    no_connect: int
    timeout: int
    greylisted: int
    temporary_failure: int
    sender_blocked: int
    recipient_policy: int
    smtp_protocol_error: int
    smtp_disabled: int
    unsafe_mail_server: int
    rate_limited: int
    egress_unavailable: int
    internal_error: int


class BulkJob(TypedDict):
    id: str
    name: Optional[str]
    status: Literal["held", "queued", "running", "completed", "canceled", "failed"]
    created_by: Optional[BulkJobCreator]
    schedule_id: Optional[str]
    notify: Optional[Literal["en", "de"]]
    header: Optional[bool]
    format: Optional[CsvFormat]
    total: int
    empty: int
    unique_by: Literal["address", "canonical"]
    unique: int
    duplicates: int
    processed: int
    deferred: int
    next_attempt_at: Optional[str]
    deferred_until: Optional[str]
    by_status: BulkJobByStatus
    by_reason: BulkJobByReason
    expected_bounces: Optional[ExpectedBounces]
    preview: Optional[ListPreview]
    usage: BulkUsage
    failure: Optional[str]
    created_at: str
    started_at: Optional[str]
    finished_at: Optional[str]
    eta_seconds: Optional[int]
    expires_at: Optional[str]


class BulkJobPage(TypedDict):
    data: List[BulkJob]
    has_more: bool
    next_cursor: Optional[str]


class BulkJobUpdate(TypedDict, total=False):
    name: Optional[str]
    notify: Optional[Literal["en", "de"]]


class FinishedBulkResult(TypedDict):
    email: str
    normalized_email: Optional[str]
    canonical_email: Optional[str]
    local_part: Optional[str]
    domain: Optional[str]
    status: Literal["deliverable", "undeliverable", "risky", "unknown"]
    reason: Literal["accepted_email", "delivered", "catch_all", "catch_all_unknown", "disposable", "role", "mailbox_full", "inconclusive_provider", "blocked_domain", "invalid_syntax", "invalid_domain", "no_mail_server", "null_mx", "mailbox_not_found", "mailbox_disabled", "bounced", "smtputf8_unsupported", "dns_error", "no_connect", "timeout", "greylisted", "temporary_failure", "sender_blocked", "recipient_policy", "smtp_protocol_error", "smtp_disabled", "unsafe_mail_server", "rate_limited", "egress_unavailable", "internal_error"]
    score: int
    did_you_mean: Optional[str]
    checks: VerdictChecks
    dns: VerdictDns
    smtp: Optional[VerdictSmtp]
    policy: VerdictPolicy
    outcome: Optional[VerdictOutcome]
    estimate: Optional[VerdictEstimate]
    list_match: Optional[ListMatch]
    retry_after: Optional[int]
    verified_at: str
    cached: bool
    age_seconds: int
    duration_ms: int
    index: int
    ref: BulkRef
    duplicate_of: Optional[str]


class UnfinishedBulkResult(TypedDict):
    index: int
    ref: BulkRef
    email: str
    status: None


class BulkResultPage(TypedDict):
    data: List[BulkResult]
    has_more: bool
    next_cursor: Optional[str]


class BulkGroupByStatus(TypedDict, total=False):
    deliverable: int
    undeliverable: int
    risky: int
    unknown: int


class BulkGroup(TypedDict):
    rows: int
    by_status: BulkGroupByStatus
    name: Optional[str]


class BulkGroupRowsByStatus(TypedDict, total=False):
    deliverable: int
    undeliverable: int
    risky: int
    unknown: int


class BulkGroupRows(TypedDict):
    rows: int
    by_status: BulkGroupRowsByStatus


class BulkBreakdown(TypedDict):
    by: Literal["domain", "provider"]
    groups: List[BulkGroup]
    other: BulkGroupRows


class _ScheduleUrlInputRequired(TypedDict):
    kind: Literal["url"]
    url: str


class ScheduleUrlInput(_ScheduleUrlInputRequired, total=False):
    headers: Dict[str, str]
    email_column: Optional[str]


class _ScheduleListmonkInputRequired(TypedDict):
    kind: Literal["listmonk"]
    url: str
    username: str
    lists: List[int]


class ScheduleListmonkInput(_ScheduleListmonkInputRequired, total=False):
    token: str


class ScheduleMaxBlocklistedInput(TypedDict, total=False):
    share: float
    count: int


class _ScheduleOnResultInputRequired(TypedDict):
    listmonk: Literal["blocklist_undeliverable", "attributes", "none"]


class ScheduleOnResultInput(_ScheduleOnResultInputRequired, total=False):
    max_blocklisted: ScheduleMaxBlocklistedInput


class _ScheduleCreateRequired(TypedDict):
    name: str
    every: Literal["day", "week", "month"]
    source: ScheduleSourceInput


class ScheduleCreate(_ScheduleCreateRequired, total=False):
    at: int
    weekday: Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    day_of_month: int
    max_age_days: int
    on_result: ScheduleOnResultInput
    notify: Optional[Literal["en", "de"]]
    enabled: bool


class ScheduleCheckList(TypedDict):
    id: int
    name: str
    subscribers: Optional[int]


class ScheduleCheckListmonk(TypedDict):
    lists: List[ScheduleCheckList]


class ScheduleFailure(TypedDict):
    code: Literal["unauthorized", "not_found", "http_status", "redirect", "address_not_allowed", "dns", "connection", "tls", "timeout", "too_little_in_time", "too_slow", "too_large", "list_not_found", "disabled", "not_a_list", "malformed_list", "not_listmonk", "empty", "bulk_too_large", "daily_quota_exceeded", "upgrade_required", "job_canceled", "job_failed", "secret_unreadable", "interrupted"]
    message: str
    detail: Optional[str]


class ScheduleCheck(TypedDict):
    object: Literal["schedule_check"]
    ok: bool
    columns: Optional[List[str]]
    email_column: Optional[str]
    rows_seen: int
    addresses_seen: int
    sample_is_whole: bool
    total: Optional[int]
    listmonk: Optional[ScheduleCheckListmonk]
    failure: Optional[ScheduleFailure]


class ScheduleCheckChanges(TypedDict, total=False):
    source: ScheduleSourceInput


class _ScheduleSourceRequired(TypedDict):
    kind: Literal["url", "listmonk"]
    url: str


class ScheduleSource(_ScheduleSourceRequired, total=False):
    headers: List[str]
    email_column: Optional[str]
    username: str
    lists: List[int]


class ScheduleMaxBlocklisted(TypedDict):
    share: float
    count: int


class ScheduleOnResult(TypedDict):
    listmonk: Literal["blocklist_undeliverable", "attributes", "none"]
    max_blocklisted: ScheduleMaxBlocklisted


class ScheduleReasonCount(TypedDict):
    reason: Literal["accepted_email", "delivered", "catch_all", "catch_all_unknown", "disposable", "role", "mailbox_full", "inconclusive_provider", "blocked_domain", "invalid_syntax", "invalid_domain", "no_mail_server", "null_mx", "mailbox_not_found", "mailbox_disabled", "bounced", "smtputf8_unsupported", "dns_error", "no_connect", "timeout", "greylisted", "temporary_failure", "sender_blocked", "recipient_policy", "smtp_protocol_error", "smtp_disabled", "unsafe_mail_server", "rate_limited", "egress_unavailable", "internal_error"]
    count: int


class ScheduleConfirmation(TypedDict):
    subscribers: int
    share: float
    reasons: List[ScheduleReasonCount]
    confirm_by: Optional[str]


class ScheduleRunChanged(TypedDict, total=False):
    deliverable: int
    undeliverable: int
    risky: int
    unknown: int


class ScheduleRun(TypedDict):
    id: str
    schedule_id: str
    status: Literal["queued", "verifying", "writing", "needs_confirmation", "completed", "discarded", "failed"]
    job_id: Optional[str]
    rows: int
    unchanged: int
    verified: int
    new: int
    changed: ScheduleRunChanged
    written: int
    not_written: int
    postponed: int
    confirmation: Optional[ScheduleConfirmation]
    failure: Optional[ScheduleFailure]
    created_at: str
    started_at: Optional[str]
    finished_at: Optional[str]


class Schedule(TypedDict):
    id: str
    name: str
    every: Literal["day", "week", "month"]
    at: int
    weekday: Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    day_of_month: int
    source: ScheduleSource
    max_age_days: int
    on_result: ScheduleOnResult
    notify: Optional[Literal["en", "de"]]
    enabled: bool
    disabled_reason: Optional[ScheduleFailure]
    next_run_at: Optional[str]
    last_run: Optional[ScheduleRun]
    created_at: str


class SchedulePage(TypedDict):
    data: List[Schedule]
    has_more: bool
    next_cursor: Optional[str]


class ScheduleUpdate(TypedDict, total=False):
    name: str
    every: Literal["day", "week", "month"]
    at: int
    weekday: Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    day_of_month: int
    source: ScheduleSourceInput
    max_age_days: int
    on_result: ScheduleOnResultInput
    notify: Optional[Literal["en", "de"]]
    enabled: bool


class ScheduleRunPage(TypedDict):
    data: List[ScheduleRun]
    has_more: bool
    next_cursor: Optional[str]


class _PolicyPreviewRequestRequired(TypedDict):
    rules: List[PolicyRuleInput]


class PolicyPreviewRequest(_PolicyPreviewRequestRequired, total=False):
    days: int


class PolicyChange(TypedDict):
    before: Literal["accept", "review", "reject"]
    after: Literal["accept", "review", "reject"]
    count: int


class PolicyPreviewExample(TypedDict):
    reason: Literal["accepted_email", "delivered", "catch_all", "catch_all_unknown", "disposable", "role", "mailbox_full", "inconclusive_provider", "blocked_domain", "invalid_syntax", "invalid_domain", "no_mail_server", "null_mx", "mailbox_not_found", "mailbox_disabled", "bounced", "smtputf8_unsupported", "dns_error", "no_connect", "timeout", "greylisted", "temporary_failure", "sender_blocked", "recipient_policy", "smtp_protocol_error", "smtp_disabled", "unsafe_mail_server", "rate_limited", "egress_unavailable", "internal_error"]
    domain: Optional[str]
    before: Literal["accept", "review", "reject"]
    after: Literal["accept", "review", "reject"]
    rule: Optional[str]
    job_id: Optional[str]
    count: int


class PolicyPreviewByDecision(TypedDict):
    accept: int
    review: int
    reject: int


class PolicyPreviewByDecisionBefore(TypedDict):
    accept: int
    review: int
    reject: int


class PolicyPreview(TypedDict):
    verdicts: int
    changed: int
    by_decision: PolicyPreviewByDecision
    by_decision_before: PolicyPreviewByDecisionBefore
    changes: List[PolicyChange]
    complete: bool
    examples: List[PolicyPreviewExample]


class _OutcomeRequired(TypedDict):
    email: str
    outcome: Literal["delivered", "bounced", "complained"]


class Outcome(_OutcomeRequired, total=False):
    at: Optional[str]
    reply: Optional[str]
    code: Optional[int]
    enhanced_code: Optional[str]
    message_id: Optional[str]


class OutcomeList(TypedDict):
    outcomes: List[Outcome]


class IgnoredOutcome(TypedDict):
    index: int
    code: str
    message: str


class OutcomeReceipt(TypedDict):
    received: int
    stored: int
    duplicates: int
    ignored: List[IgnoredOutcome]


class OutcomeSource(TypedDict):
    id: str
    kind: Literal["ses", "sendgrid", "postmark", "mailgun", "resend", "brevo", "sparkpost", "postal", "mailjet", "mandrill", "mailersend", "mailtrap", "kumomta"]
    created_at: str
    reports: List[Literal["delivered", "bounced", "complained"]]


class OutcomeSourcePage(TypedDict):
    data: List[OutcomeSource]
    has_more: bool
    next_cursor: Optional[str]


class _OutcomeSourceCreateRequired(TypedDict):
    kind: Literal["ses", "sendgrid", "postmark", "mailgun", "resend", "brevo", "sparkpost", "postal", "mailjet", "mandrill", "mailersend", "mailtrap", "kumomta"]


class OutcomeSourceCreate(_OutcomeSourceCreateRequired, total=False):
    secret: Optional[str]


class IssuedOutcomeSource(TypedDict):
    id: str
    kind: Literal["ses", "sendgrid", "postmark", "mailgun", "resend", "brevo", "sparkpost", "postal", "mailjet", "mandrill", "mailersend", "mailtrap", "kumomta"]
    created_at: str
    reports: List[Literal["delivered", "bounced", "complained"]]
    url: Optional[str]


class EventReceipt(TypedDict):
    received: int
    stored: int
    duplicates: int
    ignored: int


class RecentDeliveries(TypedDict):
    last_at: Optional[str]
    succeeded: int
    failed: int
    retrying: int


class WebhookWithDeliveries(TypedDict):
    id: str
    url: str
    mode: Literal["live", "test"]
    events: List[Literal["bulk_job.completed", "bulk_job.failed", "bulk_job.canceled", "schedule.completed", "schedule.failed", "schedule.needs_confirmation", "verification.completed", "quota.warning", "quota.exceeded", "invite.accepted", "member.removed", "key.created", "key.revoked", "subscription.updated", "webhook.disabled", "webhook.test"]]
    description: Optional[str]
    enabled: bool
    created_at: str
    disabled_reason: Optional[Literal["owner", "gone", "failing"]]
    recent: RecentDeliveries


class WebhookPage(TypedDict):
    data: List[WebhookWithDeliveries]
    has_more: bool
    next_cursor: Optional[str]


class _WebhookCreateRequired(TypedDict):
    url: str


class WebhookCreate(_WebhookCreateRequired, total=False):
    events: Optional[List[Literal["bulk_job.completed", "bulk_job.failed", "bulk_job.canceled", "schedule.completed", "schedule.failed", "schedule.needs_confirmation", "verification.completed", "quota.warning", "quota.exceeded", "invite.accepted", "member.removed", "key.created", "key.revoked", "subscription.updated", "webhook.disabled", "webhook.test"]]]
    description: Optional[str]
    mode: Literal["live", "test"]


class NewWebhook(TypedDict):
    id: str
    url: str
    mode: Literal["live", "test"]
    events: List[Literal["bulk_job.completed", "bulk_job.failed", "bulk_job.canceled", "schedule.completed", "schedule.failed", "schedule.needs_confirmation", "verification.completed", "quota.warning", "quota.exceeded", "invite.accepted", "member.removed", "key.created", "key.revoked", "subscription.updated", "webhook.disabled", "webhook.test"]]
    description: Optional[str]
    enabled: bool
    created_at: str
    disabled_reason: Optional[Literal["owner", "gone", "failing"]]
    secret: Optional[str]


class WebhookUpdate(TypedDict, total=False):
    url: str
    events: Optional[List[Literal["bulk_job.completed", "bulk_job.failed", "bulk_job.canceled", "schedule.completed", "schedule.failed", "schedule.needs_confirmation", "verification.completed", "quota.warning", "quota.exceeded", "invite.accepted", "member.removed", "key.created", "key.revoked", "subscription.updated", "webhook.disabled", "webhook.test"]]]
    description: Optional[str]
    enabled: bool


class Webhook(TypedDict):
    id: str
    url: str
    mode: Literal["live", "test"]
    events: List[Literal["bulk_job.completed", "bulk_job.failed", "bulk_job.canceled", "schedule.completed", "schedule.failed", "schedule.needs_confirmation", "verification.completed", "quota.warning", "quota.exceeded", "invite.accepted", "member.removed", "key.created", "key.revoked", "subscription.updated", "webhook.disabled", "webhook.test"]]
    description: Optional[str]
    enabled: bool
    created_at: str
    disabled_reason: Optional[Literal["owner", "gone", "failing"]]


class Attempt(TypedDict):
    at: str
    status_code: Optional[int]
    duration_ms: int
    error: Optional[Literal["http_status", "redirect", "timeout", "dns", "address_not_allowed", "connection", "tls", "protocol", "content_erased", "secret_unreadable"]]
    response_excerpt: Optional[str]


class Delivery(TypedDict):
    id: str
    event_id: str
    type: Literal["bulk_job.completed", "bulk_job.failed", "bulk_job.canceled", "schedule.completed", "schedule.failed", "schedule.needs_confirmation", "verification.completed", "quota.warning", "quota.exceeded", "invite.accepted", "member.removed", "key.created", "key.revoked", "subscription.updated", "webhook.disabled", "webhook.test"]
    status: Literal["pending", "succeeded", "failed"]
    created_at: str
    attempts: List[Attempt]
    next_attempt_at: Optional[str]


class DeliveryPage(TypedDict):
    data: List[Delivery]
    has_more: bool
    next_cursor: Optional[str]


class RetryFailed(TypedDict):
    since: str


class RetriedDeliveries(TypedDict):
    retried: int


class DeliveryDetail(TypedDict):
    id: str
    event_id: str
    type: Literal["bulk_job.completed", "bulk_job.failed", "bulk_job.canceled", "schedule.completed", "schedule.failed", "schedule.needs_confirmation", "verification.completed", "quota.warning", "quota.exceeded", "invite.accepted", "member.removed", "key.created", "key.revoked", "subscription.updated", "webhook.disabled", "webhook.test"]
    status: Literal["pending", "succeeded", "failed"]
    created_at: str
    attempts: List[Attempt]
    next_attempt_at: Optional[str]
    timestamp: str
    data: Dict[str, Any]


class _BillingSubscribeRequired(TypedDict):
    tier: str


class BillingSubscribe(_BillingSubscribeRequired, total=False):
    success_url: str
    cancel_url: str


class BillingLink(TypedDict):
    url: str


class BillingPortalRequest(TypedDict, total=False):
    return_url: str


class PlanPrice(TypedDict):
    amount: int
    currency: str
    interval: str
    interval_count: int


class Plan(TypedDict):
    tier: str
    is_current: bool
    daily_quota: Optional[int]
    requests_per_second: Optional[int]
    bulk_limit: int
    retention_days: int
    features: List[Literal["verify", "refresh", "bulk", "schedules", "domains"]]
    price: Optional[PlanPrice]


class PlanList(TypedDict):
    data: List[Plan]


class Invoice(TypedDict):
    id: str
    number: Optional[str]
    status: Optional[str]
    amount_due: int
    amount_paid: int
    currency: str
    created_at: str
    period_start: str
    period_end: str
    hosted_url: Optional[str]
    pdf_url: Optional[str]


class InvoicePage(TypedDict):
    data: List[Invoice]
    has_more: bool
    next_cursor: Optional[str]


class SystemPart(TypedDict):
    name: str
    status: Literal["ok", "degraded"]
    reason: Optional[str]


class SystemCheckFinding(TypedDict):
    code: Literal["other", "check_failed", "offline", "offline_wanted", "no_name_server", "smtp_disabled", "no_route", "leaves_directly", "address_of_machine", "address_not_of_machine", "proxy_works", "proxy_fails", "no_server_to_dial", "source_address_fails", "proxy_does_not_work", "another_server_answers", "none_reached", "none_reached_from_address", "none_reached_through_proxy", "refused", "some_not_reached", "servers_greet", "servers_greet_through_proxy", "no_server_greets", "no_starttls", "starttls_refused", "session_encrypted", "handshake_fails", "egress_fails", "public_address_unknown", "behind_proxy", "behind_gateway", "name_is_literal", "name_not_public", "name_not_looked_up", "name_without_address", "name_resolves", "name_resolves_elsewhere", "reverse_not_looked_up", "reverse_missing", "reverse_name_not_looked_up", "reverse_not_back", "reverse_is_other", "reverse_matches", "domain_accepts", "domain_null_mx", "domain_without_mx", "domain_without_mail", "spf_pass", "spf_fail", "spf_softfail", "spf_neutral", "spf_missing", "spf_unreadable", "spf_not_looked_up", "spf_depends", "not_listed", "listed", "list_refuses_resolver", "list_silent", "list_without_test", "list_lists_all"]
    params: Dict[str, Any]


class SystemCheckRemedy(TypedDict):
    code: Literal["other", "report", "connect_machine", "add_address", "correct_proxy", "see_resolver", "see_egress", "see_port_25", "end_redirection", "open_port_25", "read_reply", "try_again", "end_inspection", "set_public_address", "set_name_to_reverse", "set_whole_name", "give_name_address", "correct_name_address", "set_reverse", "set_reverse_and_forward", "use_reverse_or_set", "set_sender", "give_mx_or_set_sender", "add_to_spf", "add_spf", "correct_spf", "include_in_spf", "wait_for_removal", "request_removal", "remove_cause", "own_resolver_for_list", "look_up", "list_closed", "list_broken"]
    params: Dict[str, Any]


class SystemCheck(TypedDict):
    name: str
    egress: str
    status: Literal["pass", "warn", "fail", "unknown"]
    since: str
    checked_at: str
    detail: str
    findings: List[SystemCheckFinding]
    remedy: Optional[SystemCheckRemedy]


class SystemQueue(TypedDict):
    name: str
    waiting: int
    active: int
    oldest_seconds: float


class SystemWarmup(TypedDict):
    provider: str
    ceiling: int
    used: int


class SystemEgressProbes(TypedDict):
    replied: int
    rejected: int
    no_reply: int
    egress_failed: int
    no_route: int


class SystemEgress(TypedDict):
    name: str
    cause: Optional[Literal["rejected", "unreachable"]]
    pause_seconds: float
    blocked_by: Optional[Literal["pause", "address", "provider", "processes", "first_session", "opening", "egress", "breaker", "ceiling", "rejected", "unreachable", "no_route", "dns_error", "no_address", "unsafe_mail_server"]]
    reason: Optional[str]
    probes: SystemEgressProbes
    warmup: List[SystemWarmup]


class SystemProvider(TypedDict):
    provider: str
    egress: str
    limit: int
    used: int
    waiting: int
    blocked_by: Optional[Literal["pause", "address", "provider", "processes", "first_session", "opening", "egress", "breaker", "ceiling", "rejected", "unreachable", "no_route", "dns_error", "no_address", "unsafe_mail_server"]]
    reason: Optional[str]


class SystemBreakers(TypedDict):
    scope: Literal["domain", "host", "provider", "egress"]
    provider: Optional[str]
    open: int
    reason: str


class SystemVerdictsByStatus(TypedDict):
    deliverable: int
    undeliverable: int
    risky: int
    unknown: int


class SystemVerdictsUnknownByReason(TypedDict, total=False):
    accepted_email: int
    delivered: int
    catch_all: int
    catch_all_unknown: int
    disposable: int
    role: int
    mailbox_full: int
    inconclusive_provider: int
    blocked_domain: int
    invalid_syntax: int
    invalid_domain: int
    no_mail_server: int
    null_mx: int
    mailbox_not_found: int
    mailbox_disabled: int
    bounced: int
    smtputf8_unsupported: int
    dns_error: int
    no_connect: int
    timeout: int
    greylisted: int
    temporary_failure: int
    sender_blocked: int
    recipient_policy: int
    smtp_protocol_error: int
    smtp_disabled: int
    unsafe_mail_server: int
    rate_limited: int
    egress_unavailable: int
    internal_error: int


class SystemVerdicts(TypedDict):
    total: int
    by_status: SystemVerdictsByStatus
    unknown_by_reason: SystemVerdictsUnknownByReason


class System(TypedDict):
    at: str
    command: str
    parts: List[SystemPart]
    checks: List[SystemCheck]
    queues: List[SystemQueue]
    egresses: List[SystemEgress]
    providers: List[SystemProvider]
    breakers: List[SystemBreakers]
    verdicts: SystemVerdicts


class SystemCheckDay(TypedDict):
    date: str
    status: Literal["pass", "warn", "fail", "unknown"]
    detail: Optional[str]
    findings: List[SystemCheckFinding]
    remedy: Optional[SystemCheckRemedy]


class SystemCheckDays(TypedDict):
    name: str
    egress: str
    days: List[SystemCheckDay]


class SystemCheckHistory(TypedDict):
    first_day: str
    last_day: str
    checks: List[SystemCheckDays]


class SystemFinding(TypedDict):
    check: str
    egress: Optional[str]
    level: Literal["pass", "warn", "fail", "skipped"]
    found: str
    why: str
    what_to_do: Optional[str]
    findings: List[SystemCheckFinding]
    remedy: Optional[SystemCheckRemedy]


class SystemExamination(TypedDict):
    at: str
    findings: List[SystemFinding]


class User(TypedDict):
    id: str
    email: str
    created_at: str


class PerAddressLimits(TypedDict, total=False):
    per_minute: int
    per_day: int


class KeyClient(TypedDict):
    id: str
    name: Optional[str]
    verified: bool


class Key(TypedDict):
    id: str
    name: str
    mode: Literal["live", "test"]
    kind: Literal["secret", "publishable", "oauth"]
    prefix: Literal["rcpt_live_", "rcpt_test_", "rcpt_pub_"]
    last4: str
    service: bool
    user_id: Optional[str]
    team_id: str
    created_at: str
    last_used_at: Optional[str]
    expires_at: Optional[str]
    revoked_at: Optional[str]
    scopes: Optional[List[Literal["verify", "lists", "read", "webhooks", "outcomes", "all", "usage"]]]
    allowed_cidrs: Optional[List[str]]
    allowed_origins: Optional[List[str]]
    per_address: Optional[PerAddressLimits]
    per_day: Optional[int]
    client: Optional[KeyClient]
    key: Optional[str]


class UpgradePrice(TypedDict):
    tier: str
    amount: int
    currency: str
    interval: str
    interval_count: int


class Me(TypedDict):
    user: Optional[User]
    team: Team
    role: Literal["member", "admin", "owner"]
    key: Key
    operator: bool
    paused: bool
    features: List[Literal["verify", "refresh", "bulk", "schedules", "domains"]]
    bulk_limit: int
    upgrades: List[str]
    upgrade_prices: List[UpgradePrice]


class AcceptInvite(TypedDict):
    token: str


class NewKey(TypedDict):
    id: str
    name: str
    mode: Literal["live", "test"]
    kind: Literal["secret", "publishable", "oauth"]
    prefix: Literal["rcpt_live_", "rcpt_test_", "rcpt_pub_"]
    last4: str
    service: bool
    user_id: Optional[str]
    team_id: str
    created_at: str
    last_used_at: Optional[str]
    expires_at: Optional[str]
    revoked_at: Optional[str]
    scopes: Optional[List[Literal["verify", "lists", "read", "webhooks", "outcomes", "all", "usage"]]]
    allowed_cidrs: Optional[List[str]]
    allowed_origins: Optional[List[str]]
    per_address: Optional[PerAddressLimits]
    per_day: Optional[int]
    client: Optional[KeyClient]
    key: Optional[str]


class Joined(TypedDict):
    team: Team
    member: Member
    key: Optional[NewKey]


class SignupOptions(TypedDict):
    mode: Literal["open", "confirm", "closed"]


class _SignupWithTeamRequired(TypedDict):
    email: str
    team_name: str


class SignupWithTeam(_SignupWithTeamRequired, total=False):
    language: Literal["en", "de"]


class _SignupWithInviteRequired(TypedDict):
    email: str
    invite_token: str


class SignupWithInvite(_SignupWithInviteRequired, total=False):
    language: Literal["en", "de"]


class Signup(TypedDict):
    user: User
    team: Team
    key: NewKey


class SignupConfirm(TypedDict):
    token: str


class SignInOptions(TypedDict):
    by_mail: bool
    oidc: bool


class _SignInRequestRequired(TypedDict):
    email: str


class SignInRequest(_SignInRequestRequired, total=False):
    language: Literal["en", "de"]


class _SignInConfirmRequired(TypedDict):
    token: str


class SignInConfirm(_SignInConfirmRequired, total=False):
    team_id: str


class SignInTeam(TypedDict):
    id: str
    name: str
    role: Literal["member", "admin", "owner"]


class SignIn(TypedDict):
    user: User
    teams: List[SignInTeam]
    key: Optional[NewKey]


class KeyPage(TypedDict):
    data: List[Key]
    has_more: bool
    next_cursor: Optional[str]


class _ApiKeyCreateRequired(TypedDict):
    name: str


class ApiKeyCreate(_ApiKeyCreateRequired, total=False):
    mode: Literal["live", "test"]
    service: bool
    expires_at: Optional[str]
    kind: Literal["secret", "publishable"]
    scopes: List[Literal["verify", "lists", "read", "webhooks", "outcomes", "all"]]
    allowed_cidrs: List[str]
    allowed_origins: List[str]
    per_address: PerAddressLimits
    per_day: int


class ApiKeyUpdate(TypedDict):
    name: str


class ApiKeyRotate(TypedDict, total=False):
    grace_seconds: int


class BulkJobLinks(TypedDict):
    job: str
    results: str


class BulkJobEndedEventByStatus(TypedDict, total=False):
    deliverable: int
    undeliverable: int
    risky: int
    unknown: int


class BulkJobEndedEventByReason(TypedDict, total=False):
    accepted_email: int
    delivered: int
    catch_all: int
    catch_all_unknown: int
    disposable: int
    role: int
    mailbox_full: int
    inconclusive_provider: int
    blocked_domain: int
    invalid_syntax: int
    invalid_domain: int
    no_mail_server: int
    null_mx: int
    mailbox_not_found: int
    mailbox_disabled: int
    bounced: int
    smtputf8_unsupported: int
    dns_error: int
    no_connect: int
    timeout: int
    greylisted: int
    temporary_failure: int
    sender_blocked: int
    recipient_policy: int
    smtp_protocol_error: int
    smtp_disabled: int
    unsafe_mail_server: int
    rate_limited: int
    egress_unavailable: int
    internal_error: int


class BulkJobEndedEvent(TypedDict):
    job_id: str
    mode: Literal["live", "test"]
    status: Literal["completed", "failed", "canceled"]
    failure: Optional[str]
    total: int
    empty: int
    unique: int
    processed: int
    by_status: BulkJobEndedEventByStatus
    by_reason: BulkJobEndedEventByReason
    links: BulkJobLinks


class ScheduleLinks(TypedDict):
    schedule: str
    runs: str


class ScheduleRunEndedEventChanged(TypedDict, total=False):
    deliverable: int
    undeliverable: int
    risky: int
    unknown: int


class ScheduleRunEndedEvent(TypedDict):
    schedule_id: str
    job_id: Optional[str]
    rows: int
    unchanged: int
    verified: int
    new: int
    changed: ScheduleRunEndedEventChanged
    written: int
    not_written: int
    postponed: int
    run_id: str
    failure: Optional[str]
    enabled: bool
    links: ScheduleLinks
    status: Literal["completed", "discarded", "failed"]


class ScheduleConfirmationEvent(TypedDict):
    subscribers: int
    share: float
    reasons: List[ScheduleReasonCount]
    confirm_by: str


class ScheduleNeedsConfirmationEventChanged(TypedDict, total=False):
    deliverable: int
    undeliverable: int
    risky: int
    unknown: int


class ScheduleNeedsConfirmationEvent(TypedDict):
    schedule_id: str
    job_id: Optional[str]
    rows: int
    unchanged: int
    verified: int
    new: int
    changed: ScheduleNeedsConfirmationEventChanged
    written: int
    not_written: int
    postponed: int
    run_id: str
    failure: Optional[str]
    enabled: bool
    links: ScheduleLinks
    status: Literal["needs_confirmation"]
    confirmation: ScheduleConfirmationEvent


class VerificationCompletedEventWithVerdict(TypedDict):
    check_id: str
    verdict: Verdict


class QuotaEvent(TypedDict):
    mode: Literal["live", "test"]
    date: str
    limit: int
    used: int


class InviteAcceptedEvent(TypedDict):
    member_id: str
    user_id: str
    invite_id: str
    role: Literal["member", "admin", "owner"]


class MemberEvent(TypedDict):
    member_id: str
    user_id: str


class KeyEvent(TypedDict):
    key_id: str
    user_id: Optional[str]
    mode: Literal["live", "test"]


class SubscriptionEvent(TypedDict):
    tier: str
    subscription_tier: Optional[str]
    status: Optional[str]
    ends_at: Optional[str]


class WebhookDisabledEvent(TypedDict):
    webhook_id: str
    mode: Literal["live", "test"]
    reason: Literal["owner", "gone", "failing"]


class WebhookTestEvent(TypedDict):
    webhook_id: str
    mode: Literal["live", "test"]


class _ProblemErrorsItemRequired(TypedDict):
    pointer: str
    code: str
    message: str


class ProblemErrorsItem(_ProblemErrorsItemRequired, total=False):
    limit: int


class _ProblemRequired(TypedDict):
    type: str
    title: str
    status: Literal[400, 401, 402, 403, 404, 405, 408, 409, 412, 413, 414, 415, 422, 429, 431, 500, 502, 503]
    detail: str
    instance: str
    code: Literal["address_in_use", "address_not_allowed", "already_blocked", "already_member", "already_overridden", "authorization_request_gone", "billing_unconfigured", "bulk_too_large", "cannot_remove_owner", "certificate_unavailable", "daily_quota_exceeded", "headers_too_large", "idempotency_in_progress", "idempotency_key_reused", "internal_error", "invalid_confirmation", "invalid_credential", "invalid_cursor", "invalid_event", "invalid_event_signature", "invalid_idempotency_key", "invalid_invite", "invalid_request", "invalid_sign_in_link", "invalid_signature", "key_not_active", "last_owner", "limit_reached", "live_key_required", "malformed_http", "malformed_json", "malformed_list", "malformed_report", "method_not_allowed", "missing_credential", "missing_signature", "no_billing_customer", "no_confirmation_needed", "no_user", "not_found", "origin_not_allowed", "paused", "payload_too_large", "payment_provider_refused", "payment_provider_unavailable", "policy_changed", "queue_full", "rate_limited", "reading_too_costly", "request_refused", "request_timeout", "role_required", "scope_required", "secret_key_required", "secret_unreadable", "signup_refused", "target_too_long", "too_many_exports", "too_many_held_lists", "too_many_outcomes", "too_many_streams", "too_many_unread", "too_many_unverified", "unavailable", "unknown_charset", "unsupported_media_type", "upgrade_required"]
    request_id: str


class Problem(_ProblemRequired, total=False):
    errors: List[ProblemErrorsItem]


class BulkJobCompletedWebhook(TypedDict):
    type: Literal["bulk_job.completed"]
    timestamp: str
    data: BulkJobEndedEvent


class BulkJobFailedWebhook(TypedDict):
    type: Literal["bulk_job.failed"]
    timestamp: str
    data: BulkJobEndedEvent


class BulkJobCanceledWebhook(TypedDict):
    type: Literal["bulk_job.canceled"]
    timestamp: str
    data: BulkJobEndedEvent


class ScheduleCompletedWebhook(TypedDict):
    type: Literal["schedule.completed"]
    timestamp: str
    data: ScheduleRunEndedEvent


class ScheduleFailedWebhook(TypedDict):
    type: Literal["schedule.failed"]
    timestamp: str
    data: ScheduleRunEndedEvent


class ScheduleNeedsConfirmationWebhook(TypedDict):
    type: Literal["schedule.needs_confirmation"]
    timestamp: str
    data: ScheduleNeedsConfirmationEvent


class VerificationCompletedWebhook(TypedDict):
    type: Literal["verification.completed"]
    timestamp: str
    data: VerificationCompletedEventWithVerdict


class QuotaWarningWebhook(TypedDict):
    type: Literal["quota.warning"]
    timestamp: str
    data: QuotaEvent


class QuotaExceededWebhook(TypedDict):
    type: Literal["quota.exceeded"]
    timestamp: str
    data: QuotaEvent


class InviteAcceptedWebhook(TypedDict):
    type: Literal["invite.accepted"]
    timestamp: str
    data: InviteAcceptedEvent


class MemberRemovedWebhook(TypedDict):
    type: Literal["member.removed"]
    timestamp: str
    data: MemberEvent


class KeyCreatedWebhook(TypedDict):
    type: Literal["key.created"]
    timestamp: str
    data: KeyEvent


class KeyRevokedWebhook(TypedDict):
    type: Literal["key.revoked"]
    timestamp: str
    data: KeyEvent


class SubscriptionUpdatedWebhook(TypedDict):
    type: Literal["subscription.updated"]
    timestamp: str
    data: SubscriptionEvent


class WebhookDisabledWebhook(TypedDict):
    type: Literal["webhook.disabled"]
    timestamp: str
    data: WebhookDisabledEvent


class WebhookTestWebhook(TypedDict):
    type: Literal["webhook.test"]
    timestamp: str
    data: WebhookTestEvent


VerifyRequest = Union[VerifyOne, VerifyMany]
RuleEmail = Union[str, List[str]]
RuleDomain = Union[str, List[str]]
RuleDomainSuffix = Union[str, List[str]]
RuleTld = Union[str, List[str]]
RuleMxHostSuffix = Union[str, List[str]]
RuleProvider = Union[str, List[str]]
RuleReason = Union[Literal["accepted_email", "delivered", "catch_all", "catch_all_unknown", "disposable", "role", "mailbox_full", "inconclusive_provider", "blocked_domain", "invalid_syntax", "invalid_domain", "no_mail_server", "null_mx", "mailbox_not_found", "mailbox_disabled", "bounced", "smtputf8_unsupported", "dns_error", "no_connect", "timeout", "greylisted", "temporary_failure", "sender_blocked", "recipient_policy", "smtp_protocol_error", "smtp_disabled", "unsafe_mail_server", "rate_limited", "egress_unavailable", "internal_error"], List[Literal["accepted_email", "delivered", "catch_all", "catch_all_unknown", "disposable", "role", "mailbox_full", "inconclusive_provider", "blocked_domain", "invalid_syntax", "invalid_domain", "no_mail_server", "null_mx", "mailbox_not_found", "mailbox_disabled", "bounced", "smtputf8_unsupported", "dns_error", "no_connect", "timeout", "greylisted", "temporary_failure", "sender_blocked", "recipient_policy", "smtp_protocol_error", "smtp_disabled", "unsafe_mail_server", "rate_limited", "egress_unavailable", "internal_error"]]]
RuleStatus = Union[Literal["deliverable", "undeliverable", "risky", "unknown"], List[Literal["deliverable", "undeliverable", "risky", "unknown"]]]
RuleChecks = Union[Literal["disposable", "privacy_relay", "role", "free", "catch_all", "subaddress", "no_reply", "smtputf8"], List[Literal["disposable", "privacy_relay", "role", "free", "catch_all", "subaddress", "no_reply", "smtputf8"]]]
BulkItem = Union[str, BulkEntry]
BulkRef = Optional[Union[str, Dict[str, str]]]
BulkResult = Union[FinishedBulkResult, UnfinishedBulkResult]
ScheduleSourceInput = Union[ScheduleUrlInput, ScheduleListmonkInput]
SignupRequest = Union[SignupWithTeam, SignupWithInvite]
AnyVerdict = Union[Verdict, ReducedVerdict]
AnyVerdicts = Union[Verdict, Verdicts, ReducedVerdict]
OutcomeReport = Union[Outcome, OutcomeList]
WebhookEvent = Union[BulkJobCompletedWebhook, BulkJobFailedWebhook, BulkJobCanceledWebhook, ScheduleCompletedWebhook, ScheduleFailedWebhook, ScheduleNeedsConfirmationWebhook, VerificationCompletedWebhook, QuotaWarningWebhook, QuotaExceededWebhook, InviteAcceptedWebhook, MemberRemovedWebhook, KeyCreatedWebhook, KeyRevokedWebhook, SubscriptionUpdatedWebhook, WebhookDisabledWebhook, WebhookTestWebhook]
