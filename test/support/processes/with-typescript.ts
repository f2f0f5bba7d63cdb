/** Flags of Node for a process that runs TypeScript, as the tests do. */
export const WITH_TYPESCRIPT: readonly string[] = [
  '--import',
  new URL('../jest/typescript.mjs', import.meta.url).href,
];
