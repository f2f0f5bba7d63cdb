/** A key and what it does. */
type Keys = readonly (readonly [key: string, text: string])[];

export const keyboardEn = {
  keyboard: {
    title: 'Keyboard',
    /** Ctrl is ⌘ on a Mac. */
    commands: 'Go to a page or a list, or do something',
    keys: [
      ['j', 'Next row'],
      ['k', 'Previous row'],
      ['Enter', 'Open the row'],
      ['↑ ↓', 'In the panel of a row: the one before and after it; j and k too'],
      ['/', 'Search'],
      ['?', 'Show these keys'],
    ] as Keys,
    use: 'Use these keys',
  },
};
