/** What the widget says, by the primary language of the page. */
export interface Texts {
  /** For an address that cannot receive mail. */
  undeliverable: string;
  /** For another address that the form refuses. */
  rejected: string;
  /** The button; `{address}` is the suggested address. */
  suggestion: string;
  /** While the form waits. */
  checking: string;
}

const ENGLISH: Texts = {
  undeliverable: 'This address cannot receive email. Please check it.',
  rejected: 'Please use another email address.',
  suggestion: 'Did you mean {address}?',
  checking: 'Checking…',
};

const TRANSLATIONS = new Map<string, Texts>(
  Object.entries({
    de: {
      undeliverable: 'Diese Adresse kann keine E-Mails empfangen. Bitte prüfen Sie sie.',
      rejected: 'Bitte verwenden Sie eine andere E-Mail-Adresse.',
      suggestion: 'Meinten Sie {address}?',
      checking: 'Wird geprüft …',
    },
    es: {
      undeliverable: 'Esta dirección no puede recibir correo. Compruébela.',
      rejected: 'Utilice otra dirección de correo.',
      suggestion: '¿Quiso decir {address}?',
      checking: 'Comprobando…',
    },
    fr: {
      undeliverable: 'Cette adresse ne peut pas recevoir d’e-mails. Veuillez la vérifier.',
      rejected: 'Veuillez utiliser une autre adresse e-mail.',
      suggestion: 'Vouliez-vous dire {address} ?',
      checking: 'Vérification…',
    },
    it: {
      undeliverable: 'Questo indirizzo non può ricevere e-mail. Verificarlo.',
      rejected: 'Utilizzare un altro indirizzo e-mail.',
      suggestion: 'Intendeva {address}?',
      checking: 'Verifica in corso…',
    },
  }),
);

/** @param language as in the attribute `lang`, such as `de-AT`. */
export const textsIn = (language: string): Texts =>
  TRANSLATIONS.get(language.toLowerCase().split('-')[0] ?? '') ?? ENGLISH;
