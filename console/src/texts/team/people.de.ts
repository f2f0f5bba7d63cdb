import type { peopleEn } from './people.en';

export const peopleDe: typeof peopleEn = {
  confirm: {
    title: 'Bestätigen Sie Ihre Adresse',
    intro:
      'Wenn Sie mit der Adresse, an die dieser Link ging, ein Konto angelegt haben, bestätigen Sie sie. Sie sehen dann einmal einen Live-Schlüssel; der Testschlüssel vom Anlegen wird ungültig. Wenn nicht, schließen Sie diese Seite.',
    submit: 'Bestätigen',
    no: 'Jetzt nicht',
    done: 'Ihre Adresse ist bestätigt.',
  },
  offeredKey: {
    replaceHint: 'Ein Link will Ihre Sitzung ersetzen. Was Sie danach eingeben, erhält das andere Team.',
    linkHint: 'Ein Link will Sie anmelden. Was Sie danach eingeben, erhält dieses Team.',
    invalid: 'Der Schlüssel des Links ist ungültig.',
  },
  refused: {
    title: 'Sie sind nicht angemeldet',
    again: 'Noch einmal anmelden',
    unknown: 'Der Anmeldedienst hat Sie nicht angemeldet.',
    reasons: {
      not_configured:
        'Hier ist kein Anmeldedienst eingerichtet. Melden Sie sich mit einem Schlüssel an, oder bitten Sie den Betreiber um eine Einladung.',
      no_attempt:
        'Diese Anmeldung ist abgelaufen, beendet oder in einem anderen Browser begonnen worden. Der Browser muss das Cookie dieser Seite annehmen.',
      invalid_response:
        'Die Antwort des Anmeldedienstes gilt nicht für diese Anmeldung oder wurde schon benutzt.',
      unavailable:
        'Der Anmeldedienst antwortet nicht oder nimmt diesen Dienst nicht an. Versuchen Sie es in einer Minute wieder; wenn es so bleibt, sagen Sie es dem Betreiber.',
      too_many: 'Aus Ihrem Netz kommen zu viele Anmeldungen. Versuchen Sie es in einer Minute wieder.',
      denied: 'Der Anmeldedienst hat Sie nicht angemeldet, oder Sie haben nicht zugestimmt.',
      no_address: 'Der Anmeldedienst hat Ihre E-Mail-Adresse nicht genannt, oder sie ist ungültig.',
      not_verified:
        'Der Anmeldedienst hat Ihre E-Mail-Adresse nicht geprüft. Bestätigen Sie sie dort, und melden Sie sich noch einmal an.',
      foreign_domain:
        'Adressen Ihrer Domain dürfen sich hier nicht anmelden. Melden Sie sich mit einer Adresse Ihrer Organisation an.',
      not_a_member:
        'Ihre Adresse gehört zu keinem Team. Bitten Sie einen Verwalter Ihres Teams um eine Einladung.',
    },
  },
  missingList: {
    title: 'Diese Liste gibt es nicht',
    live: {
      isElsewhere: 'Diese Liste ist im Testmodus',
      mayBeElsewhere:
        'Sie wurde gelöscht oder nicht innerhalb von 24 Stunden gestartet, gehört einem anderen Team oder ist im Testmodus.',
      change: 'In den Testmodus wechseln',
    },
    test: {
      isElsewhere: 'Diese Liste ist im Live-Modus',
      mayBeElsewhere:
        'Sie wurde gelöscht oder nicht innerhalb von 24 Stunden gestartet, gehört einem anderen Team oder ist im Live-Modus.',
      change: 'In den Live-Modus wechseln',
    },
  },
  invite: {
    title: 'Dem Team beitreten:',
    invited: (role: string) => `Sie sind eingeladen, als ${role} beizutreten.`,
    invitedBy: (inviter: string, role: string) => `${inviter} lädt Sie ein, als ${role} beizutreten.`,
    details: (email: string, end: string) => `Die Einladung ist für ${email}. Sie gilt einmal, bis ${end}.`,
    joinAs: (email: string, team: string) =>
      `Sie treten als ${email} bei. Die Sitzung bleibt bei „${team}“ angemeldet; das Menü mit dem Namen des Teams wechselt zwischen beiden.`,
    otherAddress: (email: string) =>
      `Die Einladung ging an ${email}. Sie können mit Ihrer eigenen Adresse beitreten.`,
    noUser:
      'Der Schlüssel dieser Sitzung gehört einem Team und keiner Person und kann deshalb nicht beitreten. Melden Sie sich ab, und öffnen Sie den Link noch einmal.',
    noLiveKey:
      'Ein Testschlüssel kann nicht beitreten. Schalten Sie den Testmodus aus, und öffnen Sie den Link noch einmal.',
    isMember: 'Sie sind schon Mitglied dieses Teams. Die Einladung ist verbraucht.',
    addressHint:
      'Eine andere Adresse als die der Einladung sieht das Team als nicht bestätigt, bis Sie sich per E-Mail anmelden.',
    hasAccount: 'Ich habe ein Konto',
    isNew: 'Ich bin neu hier',
    signInFirst:
      'Melden Sie sich mit Ihrem Konto an. Danach werden Sie gefragt, ob Sie beitreten. Kommen Sie nach einem Link aus einer E-Mail in diesen Tab zurück.',
    notNow: 'Jetzt nicht',
    invalidTitle: 'Diese Einladung gilt nicht',
    invalid:
      'Sie wurde benutzt, widerrufen oder durch eine neue ersetzt, ist abgelaufen, oder der Link ist unvollständig. Bitten Sie das Team um eine neue Einladung.',
    proceed: 'Weiter',
  },
};
