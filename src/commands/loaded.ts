/** The code of a command is loaded when it runs: `rcpt --help` needs none of it. */
export function loaded<Args extends unknown[]>(load: () => Promise<(...args: Args) => Promise<void>>) {
  return async (...args: Args): Promise<void> => (await load())(...args);
}
