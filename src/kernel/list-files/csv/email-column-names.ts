/** Names of a column with addresses, without spaces and hyphens. */
const NAMES = new Set(
  folded(
    `email emailaddress mail mailaddress emailid emailaddr mailbox
   emailadresse mailadresse adressemail adresseemail courriel courrielelectronique adressedemessagerie adressecourriel
   correo correoelectronico direcciondecorreo direcciondecorreoelectronico direccionemail direcciondeemail
   correuelectronic correoe emailkontakt
   enderecodeemail enderecoemail correioeletronico correioelectronico
   posta postaelettronica indirizzoemail indirizzodipostaelettronica indirizzomail
   emailadres mailadres epost epostadress epostadresse eposti sahkoposti sahkopostiosoite netfang tolvupostur
   poczta pocztaelektroniczna adresemail adreselektroniczny adresposty emailovaadresa elektronickaposta
   emailcim eposta epostaadresi eposti epostiaadress epasts epastaadrese elpastas elpastoadresas elposta
   adresaemail adresadeemail postaelectronica epostadresa eadresa elektronskaposta elektronickaposta
   surel emel alamatemail thudientu diachiemail riomhphost ebost ebost posteletronico
   почта электроннаяпочта элпочта адресэлектроннойпочты адресэлпочты емейл имейл емаил мейл мыло електроннапошта
   електроннаадреса ел.пошта елпошта електроннапоща имеил пошта
   ηλεκτρονικοταχυδρομειο ηταχυδρομειο διευθυνσηηλεκτρονικουταχυδρομειου διευθυνσηemail
   メール メールアドレス eメール eメールアドレス 電子メール 電子メールアドレス
   邮箱 邮箱地址 电子邮件 电子邮件地址 电子邮箱 邮件 邮件地址 電子郵件 電子郵件地址 電郵 電郵地址 電子信箱 郵箱 信箱
   이메일 이메일주소 메일 전자우편 전자메일 전자우편주소
   البريدالإلكتروني البريدالالكتروني بريدإلكتروني الايميل الإيميل ايميل بریدالکترونیکی ایمیل پستالکترونیک
   דואל דואראלקטרוני אימייל מייל כתובתאימייל
   ईमेल ईमेलपता ईपत्र ইমেইল মেইল மின்னஞ்சல் อีเมล อีเมล์ ที่อยู่อีเมล`,
  ).split(/\s+/),
);

/** Words that qualify an address, and do not make something else of it. */
const QUALIFIERS = new Set(
  `address adresse addresse adres adresa adress addr value wert valeur valor primary main default preferred work business
   office company corporate private personal home other contact customer client user member subscriber your my first
   second secondary alternate alternative additional person lead recipient geschaftlich privat dienstlich kontakt kunde
   kunden firma firmen beruflich haupt principal professionnel personnel professionnelle personnelle travail client
   contacto cliente personal trabajo contatto lavoro zakelijk prive werk klant
   de du la le da do di der des del el 1 2 3 4 5 6 7 8 9 10`.split(/\s+/),
);
const WORD = /^(?:e?-?mails?|email|courriel|correo|epost|eposta)$/;
/** Words that make something else of a name with an address in it. */
const OTHER_THINGS =
  /label|typ[eo]?|status|opt|consent|sent|gesendet|date|datum|time|count|anzahl|valid|verif|bounc|confirm|subject|betreff|hash|md5|sha|templat|provider|domain|link|url|owner|inhaber|besitzer|format|language|lang|frequen|source|quelle|reason|score|result|content|body|preference|permission|unsub|phone|telefon|name|kategorie|category|client_id|server|host|port|open|click|campaign|list/;

/** How much a name says that its column has addresses: 0 (nothing) to 3 (no other column is meant). */
export function emailNameRank(name: string): 0 | 1 | 2 | 3 {
  // Remarks in brackets: `E-Mail (privat, sonst geschäftlich)`.
  const plain = folded(name.slice(0, MAX_NAME)).replace(/[([{][^)\]}]{0,60}[)\]}]/g, ' ');
  // A line that another delimiter divides is no name.
  if (/[,;|\t\n@]/.test(plain)) return 0;
  const joined = plain.replace(/[^\p{L}\p{N}]+/gu, '');
  if (joined === 'mail' || joined === 'posta' || joined === 'почта') return 2;
  if (NAMES.has(joined)) return 3;
  const words = plain.replace(/\be[\s_-]mail/g, 'email').match(/[\p{L}\p{N}]+/gu) ?? [];
  const others = words.filter((word) => !WORD.test(word));
  if (others.length < words.length) {
    if (others.every((word) => QUALIFIERS.has(word))) return 2;
    return OTHER_THINGS.test(others.join(' ')) ? 0 : 1;
  }
  const isInside = /e-?mail|メール|邮箱|邮件|郵件|이메일|e-?post(?!al)|почт/.test(joined);
  return isInside && !OTHER_THINGS.test(joined) ? 1 : 0;
}

/** The number in a name such as `E-mail 2 - Value`; 0: none. */
export function numberInName(name: string): number {
  return Number(/(?<!\p{N})\p{N}{1,2}(?!\p{N})/u.exec(name.slice(0, MAX_NAME))?.[0] ?? 0) || 0;
}

/** A longer text is no name. */
const MAX_NAME = 100;

function folded(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase()
    .trim();
}
