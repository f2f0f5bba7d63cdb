/** Of the archives of `rcpt backup`. @returns null: not set. */
export function readArchivePassphrase(env: NodeJS.ProcessEnv = process.env): string | null {
  return env.RCPT_PASSPHRASE || null;
}
