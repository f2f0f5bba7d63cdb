import { MODES, type Mode } from '../../kernel/principal.js';
import { Flag, OneOf, Schema, Texts } from '../../platform/http/validation/fields.js';
import type { AuthorizationRequest } from './domain/authorization-server.js';
import { OAUTH_SCOPES, type OAuthScope } from './domain/oauth-scopes.js';

@Schema('Consent')
export class Consent {
  @Flag({ description: 'Whether the program may act for the team.' })
  allow: boolean;

  @OneOf(MODES, { default: 'live', message: 'Send live or test.' })
  mode: Mode = 'live';

  @Texts({
    optional: true,
    maxItems: OAUTH_SCOPES.length,
    maxLength: 10,
    message: `Send some of ${OAUTH_SCOPES.join(', ')}.`,
  })
  scopes?: OAuthScope[];
}

/** What the console shows. Texts of the client are not verified. */
export function toResponse({ client, redirectUri, scopes }: AuthorizationRequest) {
  const { protocol, host } = new URL(redirectUri);
  return {
    client,
    /** A program on a computer has a scheme of its own, or a loopback address. */
    redirect: { scheme: protocol.slice(0, -1), host: host === '' ? null : host },
    scopes,
  };
}
