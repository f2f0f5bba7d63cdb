interface ServiceAccess {
  /** null: not set. */
  url: string | null;
  apiKey: string | null;
}

/** Separate from `Config`, so that a command that calls a service does not load the libraries of `Config`. */
export function readServiceAccess(env: NodeJS.ProcessEnv = process.env): ServiceAccess {
  return { url: env.RCPT_URL?.trim() || null, apiKey: env.RCPT_API_KEY?.trim() || null };
}

/** Of the archives of `rcpt backup`. @returns null: not set. */
export function readArchivePassphrase(env: NodeJS.ProcessEnv = process.env): string | null {
  return env.RCPT_PASSPHRASE || null;
}
