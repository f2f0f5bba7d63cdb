/** The name of a mail provider as people write it: `microsoft_365` is "Microsoft 365". */
export const providerName = (code: string): string =>
  code.replaceAll('_', ' ').replace(/^\p{L}/u, (letter) => letter.toUpperCase());
