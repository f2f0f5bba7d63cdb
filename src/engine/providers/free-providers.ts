import { words } from '../../kernel/text/words.js';

/**
 * Domains where a private person gets a mailbox: webmail providers with their national domains, and
 * mailboxes of Internet access providers. Taken from the providers' sign-up and help pages; grouped by
 * provider, most used first.
 */
const FREE_PROVIDERS = {
  google: 'gmail.com googlemail.com',
  microsoft: `
    hotmail.com outlook.com live.com msn.com passport.com windowslive.com
    hotmail.ca hotmail.ch hotmail.co.il hotmail.co.jp hotmail.co.th hotmail.co.uk hotmail.com.ar
    hotmail.com.br hotmail.com.tr hotmail.de hotmail.es hotmail.fr hotmail.gr hotmail.it hotmail.nl
    hotmail.no hotmail.se
    live.at live.be live.ca live.cl live.cn live.co.uk live.co.za live.com.ar live.com.au live.com.mx
    live.com.pt live.de live.dk live.fi live.fr live.hk live.ie live.in live.it live.jp live.nl
    live.no live.ru live.se
    outlook.at outlook.be outlook.cl outlook.co.id outlook.co.th outlook.com.ar outlook.com.au
    outlook.com.br outlook.com.gr outlook.com.tr outlook.com.vn outlook.cz outlook.de outlook.dk
    outlook.es outlook.fr outlook.hu outlook.ie outlook.in outlook.it outlook.jp outlook.kr
    outlook.lv outlook.my outlook.ph outlook.pt outlook.sa outlook.sg outlook.sk`,
  yahoo: `
    yahoo.com ymail.com rocketmail.com myyahoo.com
    yahoo.at yahoo.be yahoo.ca yahoo.cl yahoo.co.id yahoo.co.in yahoo.co.kr yahoo.co.nz yahoo.co.th
    yahoo.co.uk yahoo.co.za yahoo.com.ar yahoo.com.au yahoo.com.br yahoo.com.co yahoo.com.hk
    yahoo.com.mx yahoo.com.my yahoo.com.pe yahoo.com.ph yahoo.com.sg yahoo.com.tr yahoo.com.tw
    yahoo.com.vn yahoo.cz yahoo.de yahoo.dk yahoo.es yahoo.fi yahoo.fr yahoo.gr yahoo.hu yahoo.ie
    yahoo.in yahoo.it yahoo.nl yahoo.no yahoo.pl yahoo.pt yahoo.ro yahoo.se`,
  'yahoo japan': 'yahoo.co.jp ymail.ne.jp',
  aol: 'aol.com aim.com aol.co.uk aol.de aol.fr netscape.net',
  apple: 'icloud.com me.com mac.com',
  proton: 'proton.me protonmail.com protonmail.ch pm.me',
  'united internet': `
    gmx.de gmx.net gmx.at gmx.ch gmx.com gmx.co.uk gmx.es gmx.eu gmx.fr gmx.info gmx.li gmx.org
    gmx.us web.de email.de mail.com email.com usa.com europe.com post.com myself.com writeme.com
    consultant.com engineer.com dr.com techie.com contractor.net caramail.com`,
  yandex: 'yandex.ru yandex.com yandex.by yandex.kz yandex.ua ya.ru',
  vk: 'mail.ru bk.ru inbox.ru internet.ru list.ru xmail.ru',
  rambler: 'rambler.ru rambler.ua autorambler.ru lenta.ru myrambler.ru ro.ru',
  tencent: 'qq.com vip.qq.com foxmail.com',
  netease: '163.com 126.com yeah.net 188.com vip.163.com vip.126.com',
  sina: 'sina.com sina.cn vip.sina.com',
  china: '139.com 189.cn wo.cn sohu.com vip.sohu.com aliyun.com tom.com 21cn.com 263.net',
  korea: 'naver.com hanmail.net daum.net kakao.com nate.com',
  japan: `
    docomo.ne.jp ezweb.ne.jp au.com softbank.ne.jp i.softbank.jp nifty.com biglobe.ne.jp ocn.ne.jp
    so-net.ne.jp excite.co.jp`,
  india: 'rediffmail.com rediff.com sify.com indiatimes.com in.com zohomail.in',
  zoho: 'zoho.com zohomail.com zohomail.eu',
  fastmail: 'fastmail.com fastmail.fm sent.com',
  privacy: `
    tutanota.com tutanota.de tutamail.com tuta.com tuta.io keemail.me hushmail.com hush.com posteo.de
    posteo.net mailbox.org mailfence.com disroot.org riseup.net runbox.com startmail.com
    countermail.com mailo.com vivaldi.net murena.io ik.me hey.com`,
  germany: 't-online.de freenet.de arcor.de vodafone.de kabelmail.de online.de freemail.de',
  france: `
    orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr numericable.fr aliceadsl.fr
    club-internet.fr voila.fr netcourrier.com`,
  italy: 'libero.it virgilio.it alice.it tim.it tin.it tiscali.it inwind.it iol.it blu.it email.it',
  'united kingdom': `
    btinternet.com sky.com virginmedia.com ntlworld.com blueyonder.co.uk talktalk.net tiscali.co.uk
    plus.com`,
  'north america': `
    comcast.net xfinity.com verizon.net att.net sbcglobal.net bellsouth.net pacbell.net cox.net
    charter.net spectrum.net roadrunner.com earthlink.net mindspring.com juno.com optonline.net
    frontier.com windstream.net shaw.ca rogers.com sympatico.ca bell.net telus.net videotron.ca
    lycos.com excite.com inbox.com prodigy.net.mx`,
  oceania: 'bigpond.com bigpond.net.au optusnet.com.au iinet.net.au tpg.com.au xtra.co.nz',
  benelux: 'telenet.be skynet.be proximus.be ziggo.nl kpnmail.nl planet.nl hetnet.nl home.nl chello.nl',
  'alpine countries': 'bluewin.ch sunrise.ch hispeed.ch aon.at chello.at',
  nordics: 'telia.com comhem.se spray.se online.no kolumbus.fi elisanet.fi luukku.com mail.dk',
  iberia: 'telefonica.net terra.es ono.com sapo.pt clix.pt iol.pt netcabo.pt',
  poland: 'wp.pl o2.pl onet.pl onet.eu op.pl vp.pl interia.pl interia.eu tlen.pl gazeta.pl poczta.fm',
  'czechia and slovakia':
    'seznam.cz email.cz post.cz centrum.cz volny.cz atlas.cz azet.sk zoznam.sk centrum.sk',
  'south-east europe': 'freemail.hu citromail.hu abv.bg mail.bg in.gr otenet.gr mynet.com net.hr',
  baltics: 'inbox.lv one.lv mail.ee hot.ee inbox.lt one.lt',
  ukraine: 'ukr.net i.ua meta.ua bigmir.net',
  brazil: 'uol.com.br bol.com.br terra.com.br ig.com.br globo.com globomail.com oi.com.br zipmail.com.br',
  'latin america': 'fibertel.com.ar arnet.com.ar ciudad.com.ar adinet.com.uy vtr.net cantv.net',
  'middle east and africa':
    'walla.co.il walla.com maktoob.com telkomsa.net vodamail.co.za webmail.co.za mweb.co.za',
} as const satisfies Readonly<Record<string, string>>;

const DOMAINS: ReadonlySet<string> = new Set(Object.values(FREE_PROVIDERS).flatMap(words));

/**
 * The provider's domain, or null. Subdomains do not count: they belong to staff, machines or other
 * services.
 *
 * @param domain A-label, lower case, no final dot
 */
export function freeProvider(domain: string): string | null {
  return DOMAINS.has(domain) ? domain : null;
}

/** The domains of one provider. */
export function freeDomainsOf(provider: keyof typeof FREE_PROVIDERS): readonly string[] {
  return words(FREE_PROVIDERS[provider]);
}
