/** A key and what it does. */
type Keys = readonly (readonly [key: string, text: string])[];

export const keyboardEn = {
  keyboard: {
    title: 'Keyboard',
    keys: [
      ['j', 'Next row'],
      ['k', 'Previous row'],
      ['Enter', 'Open the row'],
      ['↑ ↓', 'In the panel of a row: the one before and after it; j and k too'],
      ['/', 'Search'],
      ['?', 'Show these keys'],
    ] as Keys,
    use: 'Use the keys that are single characters',
  },
};
