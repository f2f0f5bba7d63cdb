import { DomainError, type ErrorDefinition } from '../../../../kernel/errors.js';

export class SignupRefused extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'signup_refused',
    status: 409,
    title: 'The sign-up was rejected',
    detail: 'No account can be created with this address.',
    help: 'The address belongs to a confirmed member of a team, who cannot sign up again. Create keys with the existing account, and accept invites with `POST /v1/invites/accept`.',
  };
}

export class InvalidConfirmation extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'invalid_confirmation',
    status: 404,
    title: 'The link is invalid',
    detail: 'The token is malformed, unknown or expired, or its link was used.',
    help: 'The token is malformed, unknown or expired, or its link was used. The response is the same in all these cases. Sign up again to get a new link.',
  };
}

export class InvalidSignInLink extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'invalid_sign_in_link',
    status: 404,
    title: 'The link is invalid',
    detail: 'The token is malformed, unknown or expired, or its link was used.',
    help: 'The token is malformed, unknown or expired, or its link was used. The response is the same in all these cases. Request another link with `POST /signin`.',
  };
}
