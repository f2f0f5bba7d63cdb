import type { formsEn } from './forms.en';

export const formsDe: typeof formsEn = {
  forms: {
    entry: (line, text) => `Zeile ${line}: ${text}`,
    member: (name, text) => `${name}: ${text}`,
  },
  fieldErrors: {
    'retention_days.too_big': (limit) =>
      limit === '' ? 'So lange bewahrt Ihr Tarif nichts auf.' : `Höchstens ${limit} Tage in Ihrem Tarif.`,
    'allowed_origins.invalid_format': () =>
      'Geben Sie den Ursprung einer Seite ein, etwa https://www.example.com; http nur für localhost.',
    'allowed_cidrs.invalid_format': () =>
      'Geben Sie ein Netz ohne Bits nach dem Präfix ein, etwa 192.0.2.0/24 oder 2001:db8::/32; eine einzelne Adresse endet auf /32, bei IPv6 auf /128.',
    'allowed_cidrs.too_big': (limit) => `Höchstens ${limit || 20} Netze.`,
    'allowed_origins.too_big': (limit) => `Höchstens ${limit || 20} Ursprünge.`,
    'url.not_allowed': () =>
      'An diese URL sendet der Dienst nicht: https, ein Name im öffentlichen Internet, Port 80, 443 oder ab 1024, ohne Passwort und ohne #.',
    'url.invalid_type': () => 'Geben Sie eine URL ein, etwa https://example.com/hooks.',
    'url.invalid_format': () => 'Geben Sie eine URL ein, etwa https://example.com/hooks.',
    'source/url.not_allowed': () =>
      'Diese URL liest der Dienst nicht: https, ein Name im öffentlichen Internet, Port 80, 443 oder ab 1024, ohne Passwort und ohne #.',
    'source/url.invalid_type': () => 'Geben Sie eine URL ein, etwa https://example.com/liste.csv.',
    'source/url.invalid_format': () => 'Geben Sie eine URL ein, etwa https://example.com/liste.csv.',
    'source/headers.invalid_value': () =>
      'Höchstens 20 Kopfzeilen, aus sichtbaren Zeichen von ASCII. Host und andere der Verbindung setzt der Dienst.',
    'source/lists.too_small': () => 'Geben Sie die Nummern von 1 bis 100 Listen ein.',
    'domain.invalid_format': () => 'Das ist kein Domainname wie example.com.',
    'email.invalid_format': () => 'Das ist keine E-Mail-Adresse.',
    'secret.invalid_value': () => 'Dieser Wert passt nicht zu diesem Anbieter.',
    not_in_the_future: () => 'Wählen Sie einen Zeitpunkt in der Zukunft.',
    too_big: (limit) => (limit === '' ? 'Das ist zu lang oder zu groß.' : `Höchstens ${limit}.`),
    too_small: () => 'Das ist zu kurz oder zu klein.',
    invalid_type: () => 'Diese Angabe fehlt oder hat eine andere Form.',
    invalid_format: () => 'Diese Angabe hat nicht die richtige Form.',
    invalid_value: () => 'Dieser Wert ist hier nicht möglich.',
    not_allowed: () => 'Das ist hier nicht erlaubt.',
  },
};
