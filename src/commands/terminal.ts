/** The arguments are valid but refer to something that does not exist. */
export class UsageError extends Error {}

/** Options of every command that prints a result. */
export interface Format {
  json?: true;
}

export function print({ json }: Format, value: unknown, text: () => string): void {
  process.stdout.write(`${json === true ? JSON.stringify(value, null, 2) : text()}\n`);
}
