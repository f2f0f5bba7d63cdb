/** The arguments are valid but refer to something that does not exist. */
export class UsageError extends Error {}

/** Options of every command that prints a result. */
export interface Format {
  json?: true;
}

export function print({ json }: Format, value: unknown, text: () => string): void {
  process.stdout.write(`${json === true ? JSON.stringify(value, null, 2) : text()}\n`);
}

/** A message of the service that names a parameter of the API, with the option of the command line. */
export function inCommandTerms(message: string): string {
  return message.replace(/Name one with email_column\.$/, 'Name one with --column.');
}
