export const formsEn = {
  forms: {
    entry: (line: number, text: string) => `Line ${line}: ${text}`,
    /** A member of a request that has no field. */
    member: (name: string, text: string) => `${name}: ${text}`,
  },
  /** By the code of an error, or by member and code; otherwise the API's message, which is English. */
  fieldErrors: {
    'retention_days.too_big': (limit) =>
      limit === '' ? 'Your plan does not keep results for so long.' : `At most ${limit} days on your plan.`,
    'allowed_origins.invalid_format': () =>
      'Enter the origin of a page, such as https://www.example.com; http is for localhost.',
    'source/headers.invalid_value': () =>
      'At most 20 headers, of visible ASCII characters. Host and others of the connection are set by the service.',
  } as Readonly<Record<string, (limit: string) => string>>,
};
