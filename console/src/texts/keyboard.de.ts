import type { keyboardEn } from './keyboard.en';

export const keyboardDe: typeof keyboardEn = {
  keyboard: {
    title: 'Tastatur',
    commands: 'Zu einer Seite oder Liste gehen, oder etwas tun',
    keys: [
      ['j', 'Nächste Zeile'],
      ['k', 'Vorige Zeile'],
      ['Enter', 'Zeile öffnen'],
      ['↑ ↓', 'Neben einer geöffneten Zeile: die davor und danach; auch j und k'],
      ['/', 'Suchen'],
      ['?', 'Diese Tasten zeigen'],
    ],
    use: 'Diese Tasten verwenden',
  },
};
