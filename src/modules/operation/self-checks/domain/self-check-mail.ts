import type { Language, Mail } from '../../../../kernel/mail.js';
import type { SelfCheck } from './self-check.js';

/** Mails about an older state say nothing new. */
export const SELF_CHECK_MAIL_DAYS = 2;

interface Words {
  subject: (brand: string, failing: number) => string;
  fails: string;
  passes: string;
  through: (name: string, egress: string) => string;
  open: string;
  why: string;
}

/** The names of checks, as the console has them. */
const NAMES: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    egress: 'Outgoing connections',
    port_25: 'Port 25',
    tls: 'TLS',
    ehlo_name: 'Name in EHLO',
    reverse_name: 'Reverse name',
    sender_domain: 'Domain of the sender',
    sender_policy: 'SPF of the sender',
    dns_lists: 'Blocklists',
  },
  de: {
    egress: 'Ausgänge',
    port_25: 'Port 25',
    tls: 'TLS',
    ehlo_name: 'Name in EHLO',
    reverse_name: 'Rückwärtsname',
    sender_domain: 'Domain des Absenders',
    sender_policy: 'SPF des Absenders',
    dns_lists: 'Sperrlisten',
  },
};

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    subject: (brand, failing) =>
      failing > 0
        ? `${brand}: a check of the egresses fails`
        : `${brand}: the checks of the egresses pass again`,
    fails: 'These checks have passed before and fail now:',
    passes: 'These checks pass again:',
    through: (name, egress) => `${name} (egress ${egress})`,
    open: 'All checks and their last 90 days:',
    why: 'You get this mail as an owner of the first team of this installation, at most once a day for each check.',
  },
  de: {
    subject: (brand, failing) =>
      failing > 0
        ? `${brand}: eine Prüfung der Ausgänge schlägt fehl`
        : `${brand}: die Prüfungen der Ausgänge sind wieder in Ordnung`,
    fails: 'Diese Prüfungen waren in Ordnung und schlagen jetzt fehl:',
    passes: 'Diese Prüfungen sind wieder in Ordnung:',
    through: (name, egress) => `${name} (Ausgang ${egress})`,
    open: 'Alle Prüfungen und ihre letzten 90 Tage:',
    why: 'Sie erhalten diese E-Mail als Inhaber des ersten Teams dieser Installation, höchstens einmal am Tag für jede Prüfung.',
  },
};

/** In both languages, because no request says which one the owner reads. @param news fail or pass. */
export function selfCheckMail(brand: string, to: string, news: readonly SelfCheck[], link: string): Mail {
  const failing = news.filter(({ status }) => status === 'fail');
  const passing = news.filter(({ status }) => status === 'pass');
  const textIn = (language: Language) => {
    const words = WORDS[language];
    const line = ({ name, egress, detail }: SelfCheck) =>
      `- ${words.through(NAMES[language][name] ?? name, egress)}: ${detail}`;
    return [
      ...(failing.length > 0 ? [words.fails, ...failing.map(line), ''] : []),
      ...(passing.length > 0 ? [words.passes, ...passing.map(line), ''] : []),
      words.open,
      link,
      '',
      words.why,
      '',
    ];
  };
  return {
    to,
    subject: `${WORDS.en.subject(brand, failing.length)} / ${WORDS.de.subject(brand, failing.length).slice(brand.length + 2)}`,
    text: [...textIn('en'), '---', '', ...textIn('de')].join('\n'),
  };
}
