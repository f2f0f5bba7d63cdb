import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { OAUTH_SCOPES } from '../../../kernel/principal.js';
import { Config } from '../../../platform/config/config.js';
import { AnyOrigin, Public } from '../../../platform/http/request/route-policy.js';

/** RFC 9728 §3.1: the path of the resource is behind that of its metadata. */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource/mcp';

/** Who issues tokens for `POST /mcp` (RFC 9728 §2). */
@ApiExcludeController()
@Public()
@AnyOrigin()
@Controller()
export class ProtectedResourceController {
  constructor(private readonly config: Config) {}

  /** Some clients ask for the metadata of the host. */
  @Get('/.well-known/oauth-protected-resource')
  ofHost(): object {
    return this.metadata();
  }

  /** Others ask below the resource. */
  @Get([RESOURCE_METADATA_PATH, '/mcp/.well-known/oauth-protected-resource'])
  metadata(): object {
    const { publicUrl } = this.config;
    return {
      resource: `${publicUrl}/mcp`,
      resource_name: 'Rcpt',
      authorization_servers: [publicUrl],
      scopes_supported: OAUTH_SCOPES,
      bearer_methods_supported: ['header'],
      resource_documentation: `${publicUrl}/docs`,
    };
  }
}
