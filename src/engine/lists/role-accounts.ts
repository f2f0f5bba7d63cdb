import type { ListEntry } from './domain-list.js';
import { words, wordsWithKey } from '../../kernel/text/words.js';

/**
 * Local parts that name a function, not a person. A hyphen stands for any separator or none:
 * `customer-service` also matches customer.service, customer_service and customerservice. Words that
 * are also personal names are left out; separators match only where listed, so initials ("h.r") are a
 * person.
 */
const ROLES: Readonly<Record<string, string>> = {
  // RFC 2142 §3 to §6; postmaster also in RFC 5321 §4.5.1.
  'RFC 2142': `
    info marketing sales support abuse noc security postmaster hostmaster usenet news webmaster www
    uucp ftp`,
  English: `
    account accounting accounts accounts-payable accounts-receivable admin administration
    administrator advertising alerts all all-staff billing board bookings business career careers
    ceo cfo compliance contact contact-us cto customer-care customer-service customer-support
    customers dev developers devops director dns dpo editor editorial email enquiries enquiry events
    everyone export facilities feedback finance front-desk fundraising general hello help help-desk
    hi hr human-resources inquiries inquiry investor-relations investors invoice invoices invoicing
    it it-support job jobs legal list logistics mail mailer-daemon maintenance management manager
    media member members membership network newsletter notification notifications office operations
    ops order orders partner partners partnerships payments payroll phishing pr press privacy
    procurement production projects purchasing quality reception recruiting recruitment
    registration reservation reservations returns root sales-team school service services shipping
    shop spam staff studio subscribe subscriptions suppliers sys-admin system team tech
    tech-support technical trade training travel unsubscribe volunteer web welcome wholesale`,
  German: `
    anfrage bestellung bewerbung buchhaltung büro buero datenschutz einkauf empfang
    geschäftsführung geschaeftsfuehrung impressum kontakt kundendienst kundenservice personalabteilung
    presse rechnung rechnungen redaktion sekretariat verkauf vertrieb verwaltung vorstand zentrale`,
  French: `
    accueil achats administratif bonjour boutique commande commandes commercial comptabilité
    comptabilite direction emploi facturation mairie recrutement rh secrétariat secretariat
    service-client ventes`,
  Spanish: `
    administración administracion atencion-al-cliente ayuda clientes compras contabilidad contacto
    correo dirección direccion empleo facturación facturacion gerencia hola información informacion
    pedidos prensa recepción recepcion reservas rrhh secretaria soporte ventas`,
  Portuguese: 'atendimento comercial contato faturamento financeiro geral imprensa sac suporte vendas',
  Italian: `
    acquisti amministrazione assistenza commerciale contabilità contabilita contatti direzione
    fatturazione informazioni ordini prenotazioni redazione segreteria ufficio ufficio-stampa vendite`,
  Dutch: `
    administratie bestellingen boekhouding facturen inkoop klantenservice personeelszaken receptie
    secretariaat vacatures verkoop`,
  Polish: 'biuro kadry księgowość ksiegowosc pomoc praca reklamacje sekretariat sprzedaż sprzedaz zamowienia',
  Nordic: 'ekonomi faktura försäljning forsaljning kundeservice kundservice post regnskab salg',
};

const NO_REPLY = words(`
  no-reply do-not-reply dont-reply no-response ne-pas-repondre nepasrepondre nao-responda
  nao-responder no-responder no-contestar nicht-antworten keine-antwort non-rispondere
  geen-antwoord niet-beantwoorden nie-odpowiadaj svara-inte`);

const WITH_DIVIDER = /[._]/g;

const ROLE_OF: ReadonlyMap<string, ListEntry> = new Map(
  wordsWithKey(ROLES).flatMap(([pattern, source]) =>
    spellings(pattern).map((spelling): [string, ListEntry] => [
      spelling,
      { pattern, source: `built in: ${source}` },
    ]),
  ),
);

/** As a separate word at either end (`jira-noreply`, `no_reply.billing`), also with a number (`noreply2`). */
const NO_REPLY_WORD = new RegExp(`(?:^|-)(?:${NO_REPLY.flatMap(spellings).join('|')})(?:-|\\d*$)`);

/** @param localPart without its subaddress; case-insensitive */
export function roleAccount(localPart: string): ListEntry | null {
  return ROLE_OF.get(comparable(localPart)) ?? null;
}

/** Whether the name says that mail is not read. @param localPart without its subaddress */
export function isNoReply(localPart: string): boolean {
  return NO_REPLY_WORD.test(comparable(localPart));
}

function comparable(localPart: string): string {
  return localPart.toLowerCase().replace(WITH_DIVIDER, '-');
}

function spellings(pattern: string): string[] {
  return [...new Set([pattern, pattern.replaceAll('-', '')])];
}
