import type { listMailsEn } from './list-mails.en';

export const listMailsDe: typeof listMailsEn = {
  mails: {
    ask: (email: string) => `E-Mail an ${email}, wenn die Liste fertig ist`,
    askAny: 'E-Mail senden, wenn die Liste fertig ist',
    noServer: 'Diese Installation sendet keine E-Mails.',
    noUser: 'Ein Dienstschlüssel hat keine Adresse.',
    unconfirmed:
      'Ihre Adresse ist nicht bestätigt: Melden Sie sich zuerst mit einem Link aus einer E-Mail an.',
    notCreator: 'Nur wer die Liste gesendet hat, kann sie bestellen.',
  },
};
