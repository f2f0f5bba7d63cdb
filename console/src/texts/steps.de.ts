import type { stepsEn } from './steps.en';

export const stepsDe: typeof stepsEn = {
  steps: {
    title: 'Erste Schritte',
    intro: (done, all) => `${done} von ${all} sind erledigt, wie der Dienst es sieht.`,
    done: 'Erledigt',
    toDo: 'Offen',
    hide: 'Erste Schritte ausblenden',
    verify: { name: 'Eine Adresse prüfen', hint: 'Geben Sie eine in das Feld oben auf dieser Seite ein.' },
    port25: {
      name: 'Mailserver über Port 25 erreichen',
      hint: 'Viele Netze sperren diesen Port. Die Prüfungen der Installation versuchen es.',
    },
    key: {
      name: 'Einen API-Schlüssel erstellen',
      hint: 'Einen Live-Schlüssel für Ihr Programm, nicht den dieser Sitzung.',
    },
    webhook: {
      name: 'Einen Webhook hinzufügen',
      hint: 'Der Dienst meldet ihm, wenn eine Liste beendet ist.',
    },
    form: {
      name: 'In einem Formular prüfen',
      hint: 'Erstellen Sie einen öffentlichen Schlüssel: Er darf in der Seite mit dem Formular stehen.',
    },
  },
};
