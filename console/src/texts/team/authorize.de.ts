import type { authorizeEn } from './authorize.en';

export const authorizeDe: typeof authorizeEn = {
  authorize: {
    title: 'Darf ein Programm für Ihr Team handeln?',
    asks: 'möchte für Sie handeln im Team',
    unnamed: 'Ein Programm ohne Namen',
    verified: (host: string) => `Es ist ein Programm von ${host}.`,
    notVerified:
      'Es hat nicht nachgewiesen, wer es ist: Jedes Programm kann sich so nennen. Fahren Sie nur fort, wenn Sie es gerade verbunden haben.',
    answerTo: (host: string) => `Ihre Antwort geht an ${host}.`,
    answerToComputer: 'Ihre Antwort geht an ein Programm auf diesem Computer.',
    as: (email: string) => `Sie antworten als ${email}.`,
    mayDo: 'Es darf',
    scopes: {
      verify: 'Adressen prüfen, was Kontingent kostet',
      lists: 'Listen prüfen, was Kontingent kostet, und die Listen des Teams lesen, ändern und löschen',
      usage: 'den Verbrauch und das übrige Kontingent lesen',
    },
    mode: 'Modus',
    live: 'Live',
    test: 'Test: kostet nichts und fragt keinen Mailserver',
    until: (end: string) => `Das gilt bis ${end}, oder bis Sie es auf der Seite Schlüssel widerrufen.`,
    otherTeam: 'Für ein anderes Team wählen Sie es im Menü mit dem Namen des Teams.',
    signInFirst: 'Melden Sie sich zuerst an.',
    noUser:
      'Der Schlüssel dieser Sitzung gehört einem Team und keiner Person. Melden Sie sich als Person an.',
    allow: 'Erlauben',
    deny: 'Ablehnen',
    done: 'Gehen Sie zurück zum Programm. Sie können diese Seite schließen.',
    proceed: 'Zur Konsole',
    gone: 'Die Anfrage ist nicht mehr offen',
  },
};
