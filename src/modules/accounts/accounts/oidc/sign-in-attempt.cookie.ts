import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../kernel/clock.js';
import { Config } from '../../../../platform/config/config.js';
import { SecretKeys } from '../../../../platform/secrets/secret-keys.js';
import type { SignInAttempt } from '../domain/identity-provider.js';

const SECONDS = 600;
const KIND = 'oidc';
/** Longer than the cookie that is set. */
const MAX_LENGTH = 1_000;

interface Sealed extends SignInAttempt {
  kind: typeof KIND;
  expiresAt: number;
}

/**
 * Attempts to sign in, encrypted in a cookie of the browser: a stranger who begins attempts takes no memory, and any
 * process can finish one.
 */
@Injectable()
export class SignInAttemptCookie {
  private readonly name: string;
  private readonly attributes: string;

  constructor(
    { publicUrl }: Config,
    private readonly keys: SecretKeys,
    private readonly clock: Clock,
  ) {
    const isHttps = publicUrl.startsWith('https:');
    // With the prefix, no other host of the domain can set it (RFC 6265bis §4.1.3.2).
    this.name = isHttps ? '__Host-rcpt-oidc' : 'rcpt-oidc';
    // Lax: the provider redirects the browser back here.
    this.attributes = `Path=/; HttpOnly; SameSite=Lax${isHttps ? '; Secure' : ''}`;
  }

  /** The header `Set-Cookie` that keeps the attempt. */
  cookieOf(attempt: SignInAttempt): string {
    const expiresAt = this.clock.now().getTime() + SECONDS * 1_000;
    const sealed: Sealed = { ...attempt, kind: KIND, expiresAt };
    return `${this.name}=${this.keys.encrypt(JSON.stringify(sealed))}; Max-Age=${SECONDS}; ${this.attributes}`;
  }

  /** The header `Set-Cookie` that forgets it. */
  get noCookie(): string {
    return `${this.name}=; Max-Age=0; ${this.attributes}`;
  }

  /** @param header `Cookie`. @returns null: there is no attempt, or it has expired. */
  in(header: string | undefined): SignInAttempt | null {
    const prefix = `${this.name}=`;
    const pairs = (header ?? '').split(';').map((pair) => pair.trim());
    const value = pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length) ?? '';
    if (value === '' || value.length > MAX_LENGTH) return null;
    try {
      const { kind, expiresAt, ...attempt } = JSON.parse(this.keys.decrypt(value)) as Sealed;
      return kind === KIND && expiresAt > this.clock.now().getTime() ? attempt : null;
    } catch {
      return null;
    }
  }
}
