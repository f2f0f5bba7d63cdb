/** What a command that calls a running service needs. */
export interface ServiceAccess {
  /** null: not set. */
  url: string | null;
  apiKey: string | null;
}

/** In a file of its own: a command that calls a service needs no `Config`, and does not wait until its libraries are loaded. */
export function readServiceAccess(env: NodeJS.ProcessEnv = process.env): ServiceAccess {
  return { url: env.RCPT_URL?.trim() || null, apiKey: env.RCPT_API_KEY?.trim() || null };
}
