import type { commandsEn } from './commands.en';

export const commandsDe: typeof commandsEn = {
  commands: {
    title: 'Befehle',
    field: 'Eine Seite, eine Liste, ein Webhook, eine Aktion oder eine Adresse',
    pages: 'Seiten',
    address: 'Adresse',
    actions: 'Aktionen',
    none: 'Nichts heißt so.',
    verify: 'Eine Adresse prüfen',
    verifyThis: (address: string) => `${address} prüfen`,
    newList: 'Eine neue Liste prüfen',
    newKey: 'Einen Schlüssel anlegen',
    toTest: 'Zum Testmodus wechseln',
    toLive: 'Zum Live-Modus wechseln',
  },
};
