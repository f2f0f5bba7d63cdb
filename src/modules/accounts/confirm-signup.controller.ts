import { Controller, Get, Header, Query } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/route-policy.js';
import { ApiExcludeController } from '../../platform/http/documented.js';
import { confirmSignupPage } from './confirm-signup-pages.js';

/** Where the link in the mail leads: a page for a person, whose button posts the token. */
@ApiExcludeController()
@Public()
@Controller('signup/confirm')
export class ConfirmSignupController {
  constructor(private readonly config: Config) {}

  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  page(@Query('token') token: unknown): string {
    return confirmSignupPage(this.config.publicUrl, token);
  }
}
