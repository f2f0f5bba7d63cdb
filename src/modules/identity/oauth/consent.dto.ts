import { MODES, OAUTH_SCOPES, type Mode, type OAuthScope } from '../../../kernel/principal.js';
import { Flag, OneOf, Schema, SomeOf } from '../../../platform/http/validation/fields.js';
import type { AuthorizationRequest } from './domain/authorization-server.js';

@Schema('Consent')
export class Consent {
  @Flag({ description: 'Whether the program may act for the team.' })
  allow: boolean;

  @OneOf(MODES, { default: 'live', message: 'Send live or test.' })
  mode: Mode = 'live';

  @SomeOf(OAUTH_SCOPES, {
    optional: true,
    none: 'Send at least one scope.',
    description: 'All if it is not given.',
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
