import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/request/route-policy.js';
import { confirmSignupPage } from './confirm-signup-pages.js';

/** The page that the link in the mail opens; its button posts the token. */
@ApiTags('Accounts')
@Public()
@Controller('signup/confirm')
export class ConfirmSignupController {
  constructor(private readonly config: Config) {}

  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'confirmSignupPage', summary: 'The page that the link in the mail opens' })
  @ApiOkResponse({ description: 'A page.', content: { 'text/html': { schema: { type: 'string' } } } })
  page(): string {
    return confirmSignupPage(this.config.publicUrl);
  }
}
