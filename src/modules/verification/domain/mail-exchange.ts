import { domainAndParents } from '../../../kernel/domain-name.js';
import type { MxRecord } from '../../../kernel/verdict.js';

/**
 * Who runs a mail server, by the name of its host. A star stands for one label:
 * only the inbound hosts of a cloud are the cloud's own mail service, the rest of
 * its names are its customers'.
 */
const HOSTS_OF: Readonly<Record<string, readonly string[]>> = {
  google: ['google.com', 'googlemail.com', 'psmtp.com'],
  microsoft: [
    'protection.outlook.com',
    'mx.microsoft',
    'protection.office365.us',
    'partner.outlook.cn',
    'hotmail.com',
  ],
  yahoo: ['yahoodns.net'],
  yahoo_japan: ['mail.yahoo.co.jp'],
  apple: ['icloud.com', 'apple.com'],
  zoho: [
    'zoho.com',
    'zoho.eu',
    'zoho.in',
    'zoho.jp',
    'zoho.sa',
    'zoho.com.au',
    'zoho.com.cn',
    'zohocloud.ca',
    'zohomail.com',
  ],
  yandex: ['yandex.net', 'yandex.ru'],
  proton: ['protonmail.ch'],
  fastmail: ['messagingengine.com'],
  mailru: ['mail.ru'],
  gmx: ['gmx.net', 'gmx.com', 'web.de', 'mail.com'],
  ionos: [
    'kundenserver.de',
    'perfora.net',
    '1and1.com',
    'ionos.com',
    'ionos.de',
    'ionos.co.uk',
    'ionos.es',
    'ionos.fr',
  ],
  ovh: ['mail.ovh.net', 'mail.ovh.ca', 'mail.ovh.us'],
  tencent: ['qq.com'],
  netease: ['163.com', '126.com', 'netease.com', 'qiye163.com'],
  alibaba: ['mxhichina.com', 'aliyun.com'],
  amazon: ['inbound-smtp.*.amazonaws.com', 'awsapps.com'],
  rackspace: ['emailsrvr.com'],
  godaddy: ['secureserver.net'],
  namecheap: ['privateemail.com', 'registrar-servers.com'],
  hostinger: ['hostinger.com', 'titan.email'],
  cloudflare: ['mx.cloudflare.net'],
  gandi: ['mail.gandi.net'],
  infomaniak: ['infomaniak.ch'],
  strato: ['rzone.de'],
  telekom: ['t-online.de'],
  tuta: ['tutanota.de'],
  seznam: ['seznam.cz'],
  orange: ['orange.fr'],
  comcast: ['comcast.net'],
  migadu: ['migadu.com'],
  improvmx: ['improvmx.com'],
  forwardemail: ['forwardemail.net'],
  // Gateways: they stand before mailboxes that somebody else keeps.
  mimecast: ['mimecast.com', 'mimecast.co.za', 'mimecast-offshore.com'],
  proofpoint: ['pphosted.com', 'ppe-hosted.com', 'gpphosted.com', 'ppops.net'],
  barracuda: ['barracudanetworks.com', 'barracuda.com', 'cudaops.com'],
  trendmicro: ['trendmicro.com', 'trendmicro.eu', 'trendmicro.co.jp'],
  cisco: ['iphmx.com'],
  symantec: ['messagelabs.com'],
  sophos: ['sophos.com', 'reflexion.net'],
  forcepoint: ['mailcontrol.com'],
  hornetsecurity: ['hornetsecurity.com', 'antispameurope.com'],
  spamexperts: ['antispamcloud.com'],
  fortinet: ['fortimailcloud.com'],
  appriver: ['arsmtp.com'],
  mailroute: ['mailroute.net'],
  mailguard: ['mailguard.com.au'],
  fireeye: ['fireeyecloud.com'],
  siteground: ['mailspamprotection.com'],
};

/** They accept every recipient and send a bounce later, so that RCPT confirms nothing. */
const ACCEPT_THEN_BOUNCE: ReadonlySet<string> = new Set(['yahoo']);

/**
 * Consumer domains whose servers refuse an unknown user at RCPT: no random address
 * has to be asked about. The top-level domains are listed, because `live.<anything>`
 * may as well be some company's domain on the same provider's servers.
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
  mailru: new Set(['mail.ru', 'inbox.ru', 'list.ru', 'bk.ru', 'internet.ru', 'xmail.ru']),
  gmx: new Set(['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch', 'gmx.com', 'web.de', 'mail.com']),
};

/** By host, because a verdict asks several times and a long list makes a hundred thousand verdicts. */
const PROVIDER_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(HOSTS_OF).flatMap(([provider, hosts]) => hosts.map((host) => [host, provider])),
);

/** Those with a label that may be any. */
const PATTERNS = [...PROVIDER_OF]
  .filter(([host]) => host.includes('*'))
  .map(([host, provider]) => ({
    provider,
    pattern: new RegExp(`(?:^|\\.)${host.replaceAll('.', '\\.').replace('*', '[^.]+')}$`),
  }));

/**
 * @param mxHost A-label, any case, with or without the final dot
 * @returns a name from the table above, or null when nobody we know runs it
 */
export function providerOf(mxHost: string): string | null {
  const host = mxHost.toLowerCase().replace(/\.$/, '');
  for (const name of domainAndParents(host)) {
    const provider = PROVIDER_OF.get(name);
    if (provider !== undefined) return provider;
  }
  return PATTERNS.find(({ pattern }) => pattern.test(host))?.provider ?? null;
}

/** Whether "250" to RCPT says nothing about the mailbox there. */
export function acceptanceProvesNothing(provider: string | null): boolean {
  return provider !== null && ACCEPT_THEN_BOUNCE.has(provider);
}

/**
 * Whether a domain is known to refuse unknown users. Holds only while all its mail
 * goes to that provider's own servers: the name alone proves nothing.
 *
 * @param domain A-label, lower case
 */
export function neverCatchAll(domain: string, hosts: readonly MxRecord[]): boolean {
  const provider = hosts[0] === undefined ? null : providerOf(hosts[0].host);
  if (provider === null || !NEVER_CATCH_ALL[provider]?.has(domain)) return false;
  return hosts.every(({ host }) => providerOf(host) === provider);
}

function family(name: string, topLevelDomains: string): string[] {
  return topLevelDomains.split(' ').map((tld) => `${name}.${tld}`);
}
