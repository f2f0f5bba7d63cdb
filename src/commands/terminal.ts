/** The command was understood and asks for something that is not there. */
export class UsageError extends Error {}

/** Every command that answers takes it. */
export interface Format {
  json?: true;
}

export function print({ json }: Format, value: unknown, words: () => string): void {
  process.stdout.write(`${json === true ? JSON.stringify(value, null, 2) : words()}\n`);
}
