import { wordsWithKey } from '../../kernel/text/words.js';
import { domainAndParents } from '../../kernel/text/domain-name.js';
import { Memo } from '../../kernel/concurrency/memo.js';
import type { MxRecord } from '../../kernel/verdict.js';

/**
 * The provider of a mail server, by host name: `*` matches characters of one label, `**` one or more
 * labels. Patterns cover only names that providers use as mail exchangers: a zone such as `comcast.net`
 * or `secureserver.net` also contains customers' machines.
 */
const HOSTS_OF: Readonly<Record<string, string>> = {
  google: `
    aspmx.l.google.com alt*.aspmx.l.google.com aspmx*.googlemail.com smtp.google.com
    gmail-smtp-in.l.google.com alt*.gmail-smtp-in.l.google.com gmr-smtp-in.l.google.com
    alt*.gmr-smtp-in.l.google.com`,
  microsoft: `
    *.mail.protection.outlook.com *.mail.protection.outlook.de *.olc.protection.outlook.com *.mail.eo.outlook.com
    *.mail.protection.office365.us *.mail.protection.partner.outlook.cn *.*.mx.microsoft mx*.hotmail.com`,
  yahoo: 'mta*.*.yahoodns.net mx-*.mail.*.yahoodns.net',
  yahoo_japan: 'mx*.mail.yahoo.co.jp',
  apple: 'mx*.mail.icloud.com mx-in*.apple.com mx-in.g.apple.com mail-in*.apple.com',
  zoho: `
    mx*.zoho.com mx*.zoho.eu mx*.zoho.in mx*.zoho.jp mx*.zoho.sa mx*.zoho.com.au mx*.zoho.com.cn
    mx*.zoho.ae mx*.zoho.uk mx*.zohocloud.ca mx*.zohomail.com mx*.zohomail.eu mx*.zohomail.in mx*.zohomail.jp
    mx*.zohomail.sa mx*.zohomail.ca mx*.zohomail.com.au mx*.zohomail.com.cn smtpin*.zoho.com smtpin*.zoho.eu
    smtpin*.zoho.in smtpin*.zoho.com.au smtpin*.zoho.jp`,
  yandex: 'mx*.yandex.net mx*.yandex.ru',
  proton: 'mail.protonmail.ch mailsec.protonmail.ch',
  fastmail: 'in*-smtp.messagingengine.com in*.smtp.messagingengine.com',
  mailru: 'mxs.mail.ru emx.mail.ru',
  gmx: 'mx*.gmx.net mx*.emig.gmx.net mx*.gmx.com mx*.web.de mx*.mail.com',
  ionos: `
    mx*.kundenserver.de mx*.perfora.net mx*.1and1.com mx*.1and1.co.uk mx*.1and1.fr mx*.1and1.es
    mx*.ionos.com mx*.ionos.de mx*.ionos.co.uk mx*.ionos.es mx*.ionos.fr`,
  ovh: `
    mx*.mail.ovh.net ex*.mail.ovh.net pro*.mail.ovh.net mx*.ovh.net redirect.ovh.net mx*.mail.ovh.ca
    ex*.mail.ovh.ca mx*.mail.ovh.us`,
  tencent: 'mx*.qq.com',
  netease: '*.mxmail.netease.com mx*.ym.163.com mx*.qiye.163.com',
  alibaba: 'mx*.mxhichina.com mx*.*.aliyun.com',
  amazon: 'inbound-smtp.*.amazonaws.com inbound-smtp.*.amazonaws.com.cn',
  rackspace: 'mx*.emailsrvr.com',
  godaddy: `
    smtp.secureserver.net smtp.europe.secureserver.net smtp.asia.secureserver.net
    mailstore1.secureserver.net mailstore1.europe.secureserver.net mailstore1.asia.secureserver.net`,
  namecheap: 'mx*.privateemail.com eforward*.registrar-servers.com',
  hostinger: 'mx*.hostinger.com mx*.titan.email',
  cloudflare: '*.mx.cloudflare.net',
  gandi: 'spool.mail.gandi.net fb.mail.gandi.net',
  infomaniak: 'mta-gw.infomaniak.ch',
  strato: 'smtpin.rzone.de smtp.rzone.de smtp-*.rzone.de mailin.rzone.de',
  telekom: 'mx*.t-online.de',
  tuta: 'mail*.tutanota.de',
  seznam: 'mx*.seznam.cz mx*.emailprofi.seznam.cz',
  orange: 'smtp-in.orange.fr',
  comcast: 'mx*.comcast.net mx*.mxge.comcast.net',
  migadu: 'aspmx*.migadu.com',
  improvmx: 'mx*.improvmx.com',
  forwardemail: 'mx*.forwardemail.net',
  // Gateways in front of other mailbox servers.
  mimecast: `
    *-smtp-inbound-*.mimecast.com *-smtp-inbound-*.mimecast.co.za *-smtp-inbound-*.mimecast-offshore.com`,
  proofpoint: `
    mx*-*.pphosted.com mx*-*.gslb.pphosted.com mx*-*.ppe-hosted.com mx*-*.gpphosted.com
    mx*-*.gslb.gpphosted.com`,
  barracuda: '**.ess.barracudanetworks.com **.ess.*.barracudanetworks.com',
  trendmicro: `
    **.tmes.trendmicro.com **.tmes-*.trendmicro.com **.tmems-*.trendmicro.com **.tmes.trendmicro.eu *.in.tmes*.trendmicro.eu *.in.tmes*.trendmicro.co.jp
    in.tmes*.trendmicro.com in.hes.trendmicro.com in.hes.trendmicro.eu`,
  // A customer, or a customer and a region: mx1.hc1.iphmx.com, mx1.hc1.eu.iphmx.com. Then Secure Email Threat Defense.
  cisco: 'mx*.**.iphmx.com esa*.**.iphmx.com mx.*.etd.cisco.com mx.usgov.etd.cisco',
  symantec: 'cluster*.*.messagelabs.com',
  sophos: 'mx-*.prod.hydra.sophos.com asp.reflexion.net mx-*.reflexion.net',
  forcepoint: '*.in.mailcontrol.com',
  hornetsecurity: 'mx*.hornetsecurity.com mx*.antispameurope.com',
  spamexperts: 'mx*.antispamcloud.com mx.spamexperts.com fallbackmx.spamexperts.eu lastmx.spamexperts.net',
  fortinet: '*.fortimailcloud.com',
  appriver: '**.arsmtp.com',
  mailroute: 'mail.mailroute.net mx*.mailroute.net',
  mailguard: 'filter.*.mailguard.com.au mx*.mailguard.com.au',
  fireeye: '**.email.fireeyecloud.com',
  siteground: 'mx*.mailspamprotection.com mx*.*.mailspamprotection.com',
};

/** They accept every recipient and bounce later, so acceptance at RCPT proves nothing. */
const ACCEPT_THEN_BOUNCE: ReadonlySet<string> = new Set(['yahoo']);

/**
 * Consumer domains whose servers reject unknown users at RCPT. The top-level domains are listed, because
 * `live.<anything>` may be a company's domain on the same provider's servers.
 */
const NEVER_CATCH_ALL: Readonly<Record<string, ReadonlySet<string>>> = {
  google: new Set(['gmail.com', 'googlemail.com']),
  microsoft: new Set([
    ...family('outlook', 'com at be cl cz de dk es fr hu ie in it jp kr lv my ph pt sa sg sk'),
    ...family('outlook', 'com.ar com.au com.br com.gr com.tr com.vn co.id co.il co.nz co.th'),
    ...family('hotmail', 'com at be ca ch cl cz de dk es fi fr gr hu it lt lv my nl no ph rs se sg sk'),
    ...family('hotmail', 'com.ar com.au com.br com.hk com.tr com.tw com.vn co.id co.il co.in co.jp co.kr'),
    ...family('hotmail', 'co.nz co.th co.uk co.za'),
    ...family('live', 'com at be ca ch cl cn de dk fi fr hk ie in it jp nl no ru se'),
    ...family('live', 'com.ar com.au com.mx com.my com.ph com.pt com.sg co.kr co.uk co.za'),
    'msn.com',
    'windowslive.com',
    'passport.com',
  ]),
  apple: new Set(['icloud.com', 'me.com', 'mac.com']),
  proton: new Set(['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me']),
  fastmail: new Set(['fastmail.com', 'fastmail.fm']),
  gmx: new Set(['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch', 'gmx.com', 'web.de', 'mail.com']),
};

/** They reject unknown users after DATA only, so that a random address is accepted at RCPT. */
const REJECTS_AFTER_DATA: Readonly<Record<string, ReadonlySet<string>>> = {
  mailru: new Set(['mail.ru', 'inbox.ru', 'list.ru', 'bk.ru', 'internet.ru', 'xmail.ru']),
};

/** Their servers are not those of the provider's customers. */
const CONSUMER_PROVIDERS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...NEVER_CATCH_ALL, ...REJECTS_AFTER_DATA }).flatMap(([provider, domains]) =>
    [...domains].map((domain) => [domain, `${provider} consumer`]),
  ),
);

interface HostPattern {
  provider: string;
  /** Matches the whole name. */
  pattern: RegExp;
}

/**
 * Patterns by the part behind the last star. A verdict looks up several names, so candidates are found
 * by suffix.
 */
const PATTERNS: ReadonlyMap<string, readonly HostPattern[]> = patternsByEnding();

function patternsByEnding(): Map<string, HostPattern[]> {
  const patterns = new Map<string, HostPattern[]>();
  for (const [host, provider] of wordsWithKey(HOSTS_OF)) {
    const wildcard = host.lastIndexOf('*');
    const ending = wildcard < 0 ? host : host.slice(host.indexOf('.', wildcard) + 1);
    patterns.set(ending, [...(patterns.get(ending) ?? []), { provider, pattern: patternOf(host) }]);
  }
  return patterns;
}

/** `*` matches characters of one label, `**` one or more labels. */
export function patternOf(host: string): RegExp {
  const source = host.replaceAll('.', '\\.').replace('**', '.+').replaceAll('*', '[^.]*');
  return new RegExp(`^${source}$`);
}

/** The names that `providerOf` returns. */
export const PROVIDERS: readonly string[] = Object.keys(HOSTS_OF);

/** The provider of the first host that has one. */
export function providerOfNames(hosts: readonly string[]): string | null {
  return hosts.map(providerOf).find((provider) => provider !== null) ?? null;
}

/** The consumer service that a domain belongs to, whatever its mail servers; null: not known. */
export function consumerProviderOf(domain: string): string | null {
  return CONSUMER_PROVIDERS.get(domain) ?? null;
}

/** Host → provider: each verdict needs it several times. */
const KNOWN_HOSTS = new Memo<string | null>(5_000);

/**
 * @param mxHost A-label, any case, with or without the final dot
 * @returns a name from the table above, or null for an unknown provider
 */
export function providerOf(mxHost: string): string | null {
  return KNOWN_HOSTS.get(mxHost, () => findProvider(mxHost));
}

function findProvider(mxHost: string): string | null {
  const host = mxHost.toLowerCase().replace(/\.$/, '');
  for (const ending of domainAndParents(host)) {
    const found = PATTERNS.get(ending)?.find(({ pattern }) => pattern.test(host));
    if (found !== undefined) return found.provider;
  }
  return null;
}

/** Whether "250" to RCPT of a mail server does not prove that the mailbox exists. */
export function acceptsAllByTable(mxHost: string): boolean {
  return ACCEPT_THEN_BOUNCE.has(providerOf(mxHost) ?? '');
}

/**
 * Whether the servers of a domain are known to reject unknown users: all its mail goes to those of the provider
 * that the domain belongs to.
 *
 * @param domain A-label, lower case
 */
export function isNeverCatchAll(domain: string, hosts: readonly MxRecord[]): boolean {
  const provider = hosts[0] === undefined ? null : providerOf(hosts[0].host);
  if (provider === null || !NEVER_CATCH_ALL[provider]?.has(domain)) return false;
  return hosts.every(({ host }) => providerOf(host) === provider);
}

function family(name: string, topLevelDomains: string): string[] {
  return topLevelDomains.split(' ').map((tld) => `${name}.${tld}`);
}
