/**
 * The words of mail servers, gathered by what they mean. All are matched against a
 * reply in lower case in which names were replaced: the recipient's address by `<>`,
 * its domain by `<@>`, our sender by `<us>` (see quoted-names.ts), so that no one's
 * name is taken for a word.
 *
 * Servers choose the text, so no pattern may take more than linear time: every repetition has a bound
 * (test/architecture/patterns.spec.ts). What may lie between two words is at most a phrase.
 */

/** Words for a mailbox or the person behind it. */
const MAILBOX = String.raw`(?:user(?:name)?|mail[ -]?box|recipient|address(?:ee)?|account|alias|person|inbox|customer|subscriber|local[ -]?part)`;
/** What may stand between the noun and what is said of it. */
const LINK = String.raw`(?:[ :;,.-]{1,6}(?:<>|is|was|are|has|been|have|currently|address|name|here|that you tried to reach|you(?: are trying| tried) to reach|at the organization|the)){0,6}[ :;,.-]{1,6}`;

/** About our address, our name, our sender or our message: never about the mailbox. */
export const ABOUT_US: readonly RegExp[] = [
  // Lists that mail servers ask about a client.
  /\b(spamhaus|spamcop|sorbs|abusix|uceprotect|senderscore|senderbase|sbrs|mailspike|surbl|uribl|dnsbl|rbls?)\b/,
  /\b(black|block|deny)[ -]?list(ed|s|ing)?\b|\b(is|was|been) listed\b|abuseat|ivmsip/,
  /reputation|barracudacentral|ipcheck\.proofpoint|csi\.mimecast/,
  // Our address and host name.
  /\byour (ip|host|server|mail ?server|mta|network|domain|reverse|ptr|rdns|isp|location|remotehost|hostname|access)\b/,
  /\b(from|by|to) (this|your) (ip|host|network|server|client)\b|not allowed to (send|connect)|open (proxy|relay)\b/,
  /\bclient (host|ip|address)\b|\b(sending|connecting|remote|source|sender'?s?) (ip|host|server|mta|domain)\b/,
  /\bip(v[46])?([ -]addr(ess)?)?\b.{0,60}\b(block|list|bann?ed|denied|reject|refuse|limit|not (allowed|accepted|authori[sz]ed))/,
  /\b(mail|access|messages|connections?|delivery) (from|by) (ip |host |address ){0,3}\[?\d{1,3}(\.\d{1,3}){3}/,
  /\b\d{1,3}(\.\d{1,3}){3}[\])>]{0,3} (is |was |has been |not yet |found ){0,4}(listed|blocked|banned|rejected|denied|authori[sz]ed|on one or more)/,
  /reverse (dns|hostname|lookup)|\b(ptr|rdns|helo|ehlo|spf|dkim|dmarc)\b|dynamic ip/,
  /banned send|banned ip|frequency limited|\bblocked using\b|\bblocked - see\b|connection rejected by policy/,
  // Our sender address, named where the recipient is not. Exim repeats the words of a failed
  // call-out here, "no such user" or "unrouteable address" among them.
  /^(?!.*<>).*<us>|verification failed for (?!<>)/s,
  /sender verif|sender (e-?mail )?address|envelope sender|badmailfrom|return[ -]path|(accept|allowed?|rejected|take) mail from\b/,
  /\bsender\b.{0,40}\b(rejected|denied|blocked|refused|not allowed|invalid|unknown|banned|not accepted)/,
  /\b(banned|blocked|bad|invalid|unknown|unauthenticated) sender\b|mail from .{0,60}\b(rejected|denied|refused|not allowed)/,
  // French, German, Spanish, Italian, Portuguese, Dutch, Russian, Chinese, Japanese for "sender".
  /exp(é|e)diteur|(é|e)metteur|absender|remitente|mittente|remetente|afzender|отправител|发件人|差出人|送信者/,
  // Our manners, as they saw them.
  /\b(as|of) spam\b|\bspam (message|filter|detect|reject|policy|score|source)|\bspammer|junk ?mail|unsolicited/,
  /unusual (rate|sending)|unexpected volume|user complaints|sending (quota|limit)|directory harvest|dictionary attack/,
  /unauthenticated (e-?mail|message)|mail is unauthenticated/,
  // Codes that providers print instead of words: Yahoo TSS04 and BL21, Outlook.com S3140 and SC-001.
  /\[(tss?\d\d|bl\d\d)\]|\bs31[45]0\b|\b(sc|dy|ou|rp)-00\d\b/,
];

/** The server will not relay, wants a login, or speaks of a domain: nothing about the user. */
export const ABOUT_RELAYING: readonly RegExp[] = [
  /relay(ing)? (mail |access )?(is )?(denied|not (permitted|allowed)|prohibited|rejected|disabled)|relaying (mail )?to/,
  /unable to relay|\bno relay|(not|n't|cannot|won't) relay|tenantattribution|rcpthosts|non-local recipient verification/,
  /authentication (is )?required|requires? authentication|not authenticated|must authenticate|auth first/,
  /(domain|host)( name)?:? (<@> )?(is )?(not found|unknown|invalid|does not exist|not (hosted|local))|no such (domain|host)|unknown (mail )?(domain|host)/,
];

/** STARTTLS comes first (RFC 3207 §4). */
export const ASKS_FOR_TLS: readonly RegExp[] = [
  /\bstarttls\b/,
  /\b(tls|ssl|encryption|encrypted|secure connection)\b.{0,40}\b(required|needed|necessary|first|only)\b/,
  /\b(requires?|must use|need to use) (a |an )?(tls|ssl|encryption|encrypted|secure connection)\b/,
];

/** A rule of theirs decided; whether the mailbox exists is not said. */
export const POLICY: readonly RegExp[] = [
  /polic(y|ies)\b|prohibit|not (permitted|authori[sz]ed|allowed)|permission|access denied|administrative/,
  /recipient preferences|response_codes|only accept(s|ing)? (mail|messages)|refuses? (to accept|mail|your)|restricted/,
  /message (was )?(rejected|refused|not accepted)(?! -- invalid mailbox)|bad ?rcpt ?to|bad ?recipients? ?to|envelope recipient (has been|is) denied/,
  /not accepting (any )?(mail|messages)|you have been blocked by|account is protected by/,
  /(non-?|not an? )members?\b|members[ -]only|moderat|pre-?approved|bypass list|(allow|white|safe)[ -]?list/,
];

/** The triplet is new to them: later the same question is answered (RFC 6647). */
export const GREYLISTED: readonly RegExp[] = [/gr[ea]y[ -]?list/];

/** "Later", without a word about why. */
export const TRY_LATER: readonly RegExp[] = [
  /(try|tried|come|retry|attempt).{0,20}\b(again|back|later)|\bretry\b|please wait|not yet/,
];

/** The server's own trouble. */
export const SERVER_TROUBLE: readonly RegExp[] = [
  /temporary (local|server|system|lookup|dns|internal) (problem|error|failure)|lookup failure|internal (server )?error|configuration error/,
  /insufficient (system|disk)|system (storage|resources)|out of memory|no space left on device|service (is )?(not available|temporarily unavailable)|server (is )?(too )?busy/,
  /verification in progress|could not complete|unverified address|dns (temporary )?failure/,
  // Postfix repeats why its own delivery attempt failed, under the code that an operator chose.
  /loops back to myself|name service error|connection (refused|timed out)|no route to host|network is unreachable|routing loop|mail loop|too many hops/,
];

/** Too much at once, from us; also the answer to a second recipient in one transaction. */
export const TOO_MANY: readonly RegExp[] = [
  /too many (?!messages (on|in|for))|too much mail\b(?! data)|concurrent|connection rate/,
  /(exceed|maximum|limit|number).{0,43}\b(unknown|invalid|bad|failed) (users?|recipients?)|\b(unknown|invalid|bad|failed) (users?|recipients?) (limit|count|threshold|attempts?)/,
];

/** The mailbox is there, and gets more mail than it may just now. */
export const RECEIVES_TOO_FAST: readonly RegExp[] = [
  // Gmail, for "at a rate that prevents additional messages" and "too quickly"; Yandex.
  /user you are trying to contact is receiving mail (at a rate|too quickly)/,
  /recipient has exceeded (their |its |the )?message rate limit/,
];

export const FULL_AND_ABANDONED: readonly RegExp[] = [/(quota|storage space) and inactive/];

export const FULL: readonly RegExp[] = [
  /over (the |its |their |disk |mail ?box |allowed |storage ){0,5}quota|overquota|quota (usage )?(is )?(exceeded|full|violat|reached)|exceed(s|ed|ing)? .{0,40}(quota|storage|disk space)|quota exceed/,
  new RegExp(
    `${MAILBOX}${LINK}(over)?full\\b|\\bfull (mail ?box|inbox)|mail ?folder is full|(?:mail ?box|inbox).{0,20}\\bfull\\b`,
  ),
  /out of storage|not (have )?enough (storage )?space|disk space limit|(mail ?box|storage) (size )?limit (exc?eeded|reached)|would exceed maximum|over (its|their|the) (storage|size) limit|too many messages (on|in|for)|space has been used up/,
  // French, German, Spanish, Italian, Portuguese, Russian, Chinese.
  /bo(î|i)te .{0,30}pleine|postfach.{0,20}\bvoll|buz(ó|o)n .{0,20}lleno|casella .{0,20}piena|caixa .{0,20}cheia|ящик .{0,20}переполнен|已满/,
];

/** For now: no ground to call a mailbox gone, even under a 5xx code. */
export const FOR_NOW: readonly RegExp[] = [
  /temporar(y|il)|try (again|later)|currently (unavailable|being)|essayer plus tard|sp(ä|ae)ter (noch ?einmal|erneut)|m(á|a)s tarde|riprovare/,
];

/** Addresses of machines, and of whoever sends, are no mailboxes. */
const NOT_OF = String.raw`(?<!\b(?:ip|host|dns|mx|reverse|client|source|sender'?s?|from|remote|return|server|relay|your|auth)[ -])`;

const CLOSED =
  '(?:disabled|suspended|inactive|not active|deactivated|discontinued|terminated|closed|frozen|expired|cancell?ed)';
export const CLOSED_MAILBOX: readonly RegExp[] = [
  new RegExp(
    `${NOT_OF}\\b${MAILBOX}${LINK}(?:no longer active|no longer accepts? mail|${CLOSED})\\b(?! for)`,
  ),
  /\baccount is locked\b/,
  new RegExp(
    `\\b(?:disabled|suspended|inactive|deactivated|discontinued|terminated|closed|frozen|expired) ${MAILBOX}`,
  ),
];

export const NO_SUCH_MAILBOX: readonly RegExp[] = [
  // "no such user", "unknown local part", "invalid recipient", "not a valid mailbox", "unrouteable address"
  new RegExp(
    `\\b(?:no such|unknown|invalid|non-?existent|bad|unrout[e]?able|illegal|not a|not an)(?: (?:such|known|valid|virtual|local|active|destination|e-?mail|or)){0,6}[ /](?:<> )?${MAILBOX}(?! (?:address )?(?:syntax|format|literal|count|family))\\b`,
  ),
  // "no mailbox here by that name", and not "no user authentication".
  new RegExp(
    `\\bno (?:(?:valid|known|virtual|local|active|e-?mail) ){0,5}${MAILBOX}(?:[.,;:!?)]|$| (?:<>|here|by|with|at|in|on|found|for|named|available)\\b)`,
  ),
  // "user unknown", "mailbox <> does not exist", "recipient was not found", "email address could not be found"
  new RegExp(
    `${NOT_OF}\\b${MAILBOX}${LINK}(?:unknown|invalid|not (?:found|known|exist|exists|present|valid|existing)|does ?n[o']t exist|doesn't exist|dosn't exist|did not exist|no longer (?:exists?|valid|available|in use)|could not be found)\\b`,
  ),
  /undeliverable address|(unknown|invalid|illegal) (or (illegal|unknown|invalid) )?alias|marked as invalid|^not our customer|recip(ient)?notfound/,
  // Yahoo and its family; servers that say it of the address itself.
  /doesn't have an? (\S{1,253} )?account|<>[ :.]{0,6}(is |was )?(not found|unknown|does not exist|doesn't exist|dosn't exist)/,
  // French, Spanish, German, Italian, Dutch.
  /(utilisateur|adresse|bo(î|i)te) inconnue?|destinataire (invalide|inconnu)|usuario (no existe|desconocido)|no existe (ese|dicha|el usuario)|(buz(ó|o)n|destinatario) (no existe|inexistente|desconocido)/,
  /((benutzer|empf(ä|ae)nger|adressat)(adresse)?|postfach) (ist )?(unbekannt|existiert nicht|nicht gefunden)|nessun utente|utente (sconosciuto|inesistente|non trovato)|casella inesistente|gebruiker onbekend|onbekende gebruiker/,
  // Polish, Portuguese, Swedish, Russian, Chinese, Japanese.
  /u(ż|z)ytkownik nieznany|nie ma takiego u(ż|z)ytkownika|usu(á|a)rio (desconhecido|inexistente)|(destinat(á|a)rio|caixa postal) inexistente|ok(ä|a)nd anv(ä|a)ndare/,
  /пользовател[ья] не (найден|существует)|нет такого пользователя|ящик не существует|(用户|收件人|邮箱)(地址)?不存在|无此用户|宛先不明|ユーザーが?(存在し|見つかり)ません/,
];

/** A bare 550 is believed about the mailbox only if it turns one down and gives no other reason for it. */
export const TURNS_A_MAILBOX_DOWN: readonly RegExp[] = [
  new RegExp(
    `${NOT_OF}\\b${MAILBOX}${LINK}(?:unavailable|not available|rejected|refused|not accepted|unrecognized|not recognized|not local)[ .!]{0,6}(?:[(<;]|- <?host|https?:|$)`,
  ),
  /\b(user|recipient|addressee|person) (has )?moved\b|\bno ?(one|body) (at|by|with) this|\bname is not found/,
];

/** The host or the domain takes no mail at all (RFC 7504, RFC 7505). */
export const TAKES_NO_MAIL: readonly RegExp[] = [
  /null ?mx|(domain|host|server|<@>|<host>) (<@> )?(does(n't| not) accept|accepts no|never accepts) (any )?(e-?)?mail(?! (from|for|to|with|via|over|unless|until|at|today|now)\b)|no mail (service|is )?(accepted|here)( here)?\.?$/,
];
