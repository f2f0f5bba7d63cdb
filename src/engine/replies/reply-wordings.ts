import { BLOCKLISTS } from './blocklists.js';
import { REPORTING_VERBS } from './reply-expressions.js';

/**
 * The wordings of mail servers, grouped by meaning. All are matched against a reply in lower case in
 * which names were replaced: the recipient's address by `<>`, its domain by `<@>`, our sender by
 * `<us>` (see quoted-names.ts), so that a name is not matched as a word.
 *
 * Servers choose the text, so a pattern must take linear time: every repetition has a bound
 * (test/architecture/patterns.spec.ts). At most a phrase may be between two words.
 */

/** Before the reply of another server. */
const REPORTING = `(has )?(${REPORTING_VERBS.join('|')})\\b`;

/** About our address, our name, our sender or our message: never about the mailbox. */
export const SENDER_BLOCKED: readonly RegExp[] = [
  // DNS lists of clients.
  new RegExp(`\\b(${BLOCKLISTS.join('|')}|sbrs|dnsbl|rbls?)\\b`),
  /\b(black|block|deny)[ -]?list(ed|s|ing)?\b|\b(is|was|been) listed\b|abuseat|ivmsip/,
  /reputation|barracudacentral|ipcheck\.proofpoint|csi\.mimecast/,
  // Our address and host name.
  /\byour (ip|host|server|mail ?server|mta|network|domain|reverse|ptr|rdns|isp|location|remotehost|hostname|access)\b/,
  /\b((from|to) (this|your)|by your) (ip|host|network|server|client)\b|not allowed to (send|connect)|open (proxy|relay)\b/,
  /\bclient (host|ip|address)\b|\b(sending|connecting|source|sender'?s?) (ip|host|server|mta|domain)\b/,
  // "The remote server returned:" is about a server behind this one.
  new RegExp(`\\bremote (ip|host|server|mta|domain)\\b(?! ${REPORTING})`),
  /\bip(v[46])?([ -]addr(ess)?)?\b.{0,60}\b(block|list|bann?ed|denied|reject|refuse|limit|not (allowed|accepted|authori[sz]ed))/,
  /\b(mail|access|messages|connections?|delivery) (from|by) (ip |host |address ){0,3}\[?\d{1,3}(\.\d{1,3}){3}/,
  /\b\d{1,3}(\.\d{1,3}){3}[\])>]{0,3} (is |was |has been |not yet |found ){0,4}(listed|blocked|banned|rejected|denied|authori[sz]ed|on one or more)/,
  /reverse (dns|hostname|lookup)|\bip name\b|possibly forged|\b(ptr|f?crdns|rdns|helo|ehlo|spf|dkim|dmarc)\b|dynamic ip/,
  /banned send|banned ip|frequency limited|\bblocked using\b|\bblocked - see\b|connection rejected by policy/,
  // Our sender address, in a reply without the recipient. Exim repeats the reply to a failed call-out
  // here, such as "no such user" or "unrouteable address".
  /^(?!.*<>).*<us>|verification failed for (?!<>)/s,
  /sender verif|sender (e-?mail )?address|envelope sender|badmailfrom|return[ -]path|(accept|allowed?|rejected|take) mail from\b/,
  /\bsender\b.{0,40}\b(rejected|denied|blocked|refused|not allowed|invalid|unknown|banned|not accepted)/,
  /\b(banned|blocked|bad|invalid|unknown|unauthenticated) sender\b|mail from .{0,60}\b(rejected|denied|refused|not allowed)/,
  // French, German, Spanish, Italian, Portuguese, Dutch, Russian, Chinese, Japanese for "sender".
  /exp(é|e)diteur|(é|e)metteur|absender|remitente|mittente|remetente|afzender|отправител|发件人|差出人|送信者/,
  // Our mail or behaviour.
  /\b(as|of) spam\b|\bspam (message|filter|detect|reject|policy|score|source)|\bspammer|junk ?mail|unsolicited/,
  /unusual (rate|sending)|unexpected volume|user complaints|sending (quota|limit)|directory harvest|dictionary attack/,
  /unauthenticated (e-?mail|message)|mail is unauthenticated/,
  // Codes that providers use instead of words: Yahoo TSS04 and BL21, Outlook.com S3140 and SC-001.
  /\[(tss?\d\d|bl\d\d)\]|\bs31[45]0\b|\b(sc|dy|ou|rp)-00\d\b/,
];

/** The server does not relay: it does not accept mail for the domain, at least from us. */
export const DENIES_RELAYING: readonly RegExp[] = [
  /relay(ing)? (mail |access )?(is )?(denied|not (permitted|allowed)|prohibited|rejected|disabled)|relaying (mail )?to/,
  /unable to relay|\bno relay|(not|n't|cannot|won't) relay|tenantattribution|rcpthosts|non-local recipient verification/,
];

/** The server does not relay, requires a login, or names a domain: no statement about the user. */
export const ABOUT_RELAYING: readonly RegExp[] = [
  ...DENIES_RELAYING,
  /authentication (is )?required|requires? authentication|not authenticated|must authenticate|auth first/,
  /(domain|host)( name)?:? (<@> )?(is )?(not found|unknown|invalid|does not exist|not (hosted|local))|no such (domain|host)(?! (mailbox|user|account))|unknown (mail )?(domain|host)(?! (mailbox|user|account))/,
];

/** The server requires STARTTLS (RFC 3207 §4). */
export const REQUIRES_STARTTLS: readonly RegExp[] = [
  /\bstarttls\b/,
  /\b(tls|ssl|encryption|encrypted|secure connection)\b.{0,40}\b(required|needed|necessary|first|only)\b/,
  /\b(requires?|must use|need to use) (a |an )?(tls|ssl|encryption|encrypted|secure connection)\b/,
];

/** A policy of the server; says nothing about the existence of the mailbox. */
export const POLICY: readonly RegExp[] = [
  /polic(y|ies)\b|prohibit|not (permitted|authori[sz]ed|allowed)|permission|access denied|administrative/,
  /recipient preferences|response_codes|only accept(s|ing)? (mail|messages)|refuses? (to accept|mail|your)|restricted/,
  /message (was )?(rejected|refused|not accepted)(?! -- invalid mailbox)|bad ?rcpt ?to|bad ?recipients? ?to|envelope recipient (has been|is) denied/,
  /not accepting (any )?(mail|messages)|you have been blocked by|account is protected by/,
  /(non-?|not an? )members?\b|members[ -]only|moderat|pre-?approved|bypass list|(allow|white|safe)[ -]?list/,
];

/** The server has not seen the triplet before, and answers a later attempt (RFC 6647). */
export const GREYLISTED: readonly RegExp[] = [
  /gr[ea]y[ -]?list/,
  /\bnot yet (authori[sz]ed|permitted|allowed) to (deliver|send)\b|\bnot yet (authori[sz]ed|accepted|known|seen)\b.{0,40}\b(later|again)\b/,
];

/** Temporary, without a reason. */
export const TRY_LATER: readonly RegExp[] = [
  /(try|tried|come|retry|attempt).{0,20}\b(again|back|later)|\bretry\b|please wait|not yet/,
];

/** A look-up of our names that failed for now: what it would have shown is not known. */
export const LOOKUP_FAILURE: readonly RegExp[] = [
  /\b(spf|dkim|dmarc|[fr]?c?r?dns|ptr|dns|hostname)\b.{0,30}\b(look-?up|query|check|resolution) (failure|failed|error|time-?out)\b/,
  /\b(spf|dkim|dmarc|f?c?r?dns|ptr)( look-?up| query| check)? (time-?out|timed out)|\btemporar(y|ily)\b.{0,40}\b(look-?up|dns|spf|dkim|dmarc)\b/,
  /server configuration (problem|error)/,
];

/** A failure of the server itself. */
export const SERVER_ERROR: readonly RegExp[] = [
  /temporary (local|server|system|lookup|dns|internal) (problem|error|failure)|lookup failure|internal (server )?error|configuration error/,
  /insufficient (system|disk)|system (storage|resources)|out of memory|no space left on device|queue quota|queue (is )?full|service (is )?(not available|temporarily unavailable)|server (is )?(too )?busy/,
  /verification in progress|could not complete|unverified address|dns (temporary )?failure/,
  // Postfix repeats the cause of its failed delivery attempt, with a code that the operator configured.
  /loops back to myself|name service error|connection (refused|timed out)|no route to host|network is unreachable|routing loop|mail loop|too many hops/,
];

/** A limit on this client; also the reply to a second recipient in one transaction. */
export const TOO_MANY: readonly RegExp[] = [
  /(?<!\b(mailbox|mailfolder|inbox|account|maildrop|user|recipient) (has|holds|contains|stores|keeps|already has|already holds) )too many (?!messages (on|in|for)|(stored|unread) messages)|too much mail\b(?! (data|in|on))|concurrent|connection rate/,
  /(exceed|maximum|limit|number).{0,43}\b(unknown|invalid|bad|failed) (users?|recipients?)|\b(unknown|invalid|bad|failed) (users?|recipients?) (limit|count|threshold|attempts?)/,
];

/** The mailbox exists and exceeds the rate limit of its provider. */
export const RECEIVES_TOO_FAST: readonly RegExp[] = [
  // Gmail, for "at a rate that prevents additional messages" and "too quickly"; Yandex.
  /user you are trying to contact is receiving mail (at a rate|too quickly)/,
  /recipient has exceeded (their |its |the )?message rate limit/,
];

/** Temporary, even with a 5xx code. */
export const TEMPORARY: readonly RegExp[] = [
  /try (again|later)|essaye[rz] plus tard|sp(ä|ae)ter (noch ?einmal|erneut|wieder)|m(á|a)s tarde|mais tarde|riprova(re|te)|pi(ù|u) tardi|pó(ź|z)niej|pozd(ě|e)ji|позже|tente novamente/,
];

/** A mailbox that another program holds. */
export const TEMPORARY_LOCK: readonly RegExp[] = [/\b(locked|busy|in use)\b.{0,30}\b(try|tried|retry)\b/];

/** In words that leave no doubt: the state of the mailbox lasts for a while only. */
export const FOR_A_WHILE: readonly RegExp[] = [
  /temporar|currently (unavailable|being)|vor(ü|ue)bergehend|zeitweilig|temporair|provisoire|temporal|temporan|provvisor|provis(ó|o)ri|tijdelijk/,
  /tymczasow|do(č|c)asn|временно|тимчасово|tillf(ä|a)llig|midlertidig|tilap(ä|a)is|v(ä|a)liaikais|(á|a)tmeneti|ideiglenes|ge(ç|c)ici|一時|暂时|暫時|일시/,
];

/** The host or the domain accepts no mail at all (RFC 7504, RFC 7505). */
export const NO_MAIL_ACCEPTED: readonly RegExp[] = [
  /null ?mx|(domain|host|server|<@>|<host>) (<@> )?(does(n't| not) accept|accepts no|never accepts) (any )?(e-?)?mail(?! (from|for|to|with|via|over|unless|until|at|today|now)\b)|no mail (service|is )?(accepted|here)( here)?\.?$/,
];

/** The same beside 521, whose meaning it is (RFC 7504 §3): whoever the subject is, and in other languages. */
export const NO_MAIL_AT_521: readonly RegExp[] = [
  /\b(do(es)?( not|n't) accept|accepts? no|never accepts?|not accepting|no) (any )?(incoming )?(e-?)?mail(?! (from|for|to|with|via|over|unless|until|at (this|the)|today|now|right)\b)|\bmail (is )?not accepted|\bno smtp (service|server)/,
  /nimmt keine (e-?)?mails?\b|n.accepte (pas|aucun) (de )?(courri|e-?mail)|no acepta (correo|mensajes)|non accetta (posta|e-?mail)|n(ã|a)o aceita (e-?mail|correio)|accepteert geen (e-?)?mail|nie przyjmuje poczty/,
];
