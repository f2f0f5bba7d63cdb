import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DomainError } from '../../../kernel/errors.js';
import { authorizationFailed } from '../../../platform/http/pages/authorization-failed.js';
import { OAuthRefusal } from './domain/oauth-refusal.js';

/** The paths that a browser follows. */
const IN_BROWSER = /^\/oauth\/authorize\b/i;

/** Errors as the clients of OAuth read them (RFC 6749 §5.2), or as a page in a browser. */
@Catch(DomainError, OAuthRefusal)
export class OAuthErrorFilter implements ExceptionFilter<DomainError | OAuthRefusal> {
  catch(error: DomainError | OAuthRefusal, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    // The rest of this request must not be read as the next one.
    if (error.status === 408) return void request.destroy();
    const code = error instanceof OAuthRefusal ? error.error : codeOf(error);
    if (error.retryAfter !== null)
      response.setHeader('Retry-After', String(Math.max(1, Math.ceil(error.retryAfter))));
    response.setHeader('Cache-Control', 'no-store');
    response.status(error.status);
    if (IN_BROWSER.test(request.path))
      response
        .status(error.status === 401 ? 400 : error.status)
        .type('html')
        .send(authorizationFailed(code, error.message));
    else response.json({ error: code, error_description: error.message });
  }
}

function codeOf({ status }: DomainError): string {
  return status === 429 || status === 503 ? 'temporarily_unavailable' : 'invalid_request';
}
