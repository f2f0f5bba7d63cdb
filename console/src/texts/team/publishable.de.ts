import type { publishableEn } from './publishable.en';

export const publishableDe: typeof publishableEn = {
  publishable: {
    html: 'HTML eines Formulars',
    wait: 'Mit data-rcpt-wait wartet das Formular auf das Ergebnis, hier eine Sekunde: Mit der Eingabetaste wird es abgeschickt, bevor das Feld verlassen ist.',
    guide: 'Alle Attribute stehen im Rezept docs/recipes/signup-form.md von Rcpt.',
    docs: 'Schlüssel für Webseiten in der API-Dokumentation',
    tryOut: 'Ausprobieren',
    tryHint: 'Zeigt, was das Widget tun würde. Geprüft wird mit dem Schlüssel dieser Sitzung.',
    tryEmail: 'E-Mail-Adresse eines Besuchers',
    test: 'Prüfen',
    isSent: 'Das Formular wird abgeschickt.',
    isRefused: 'Das Formular wird nicht abgeschickt:',
    undeliverable: 'Diese Adresse kann keine E-Mails empfangen. Bitte prüfen Sie sie.',
    rejected: 'Bitte verwenden Sie eine andere E-Mail-Adresse.',
    suggestion: (address) => `Meinten Sie ${address}?`,
  },
  requestDetails: {
    title: 'Fehlgeschlagene Anfrage',
    open: 'Einzelheiten zeigen',
    about: 'Was dieser Fehler bedeutet und was zu tun ist',
    key: 'Schlüssel',
    deletedKey: 'ein gelöschter Schlüssel',
  },
};
