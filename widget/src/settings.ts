/** Settings in `data-rcpt-…` attributes of the input or, for all inputs, of the script. */
const DEFAULTS = {
  /** Message for an address that cannot receive mail. Empty: the form is not blocked. */
  undeliverable: 'This address cannot receive email. Please check it.',
  /** Message for another address that the team's policy rejects. Empty: the form is not blocked. */
  rejected: 'Please use another email address.',
  /** Text of the button; `{address}` is the suggested address. Empty: no button. */
  suggestion: 'Did you mean {address}?',
  messageClass: 'rcpt-message',
  suggestionClass: 'rcpt-suggestion',
} as const;

export type Settings = (name: keyof typeof DEFAULTS) => string;

export function settingsOf(input: HTMLElement, script: HTMLElement): Settings {
  return (name) => {
    const attribute = `rcpt${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    return input.dataset[attribute] ?? script.dataset[attribute] ?? DEFAULTS[name];
  };
}
