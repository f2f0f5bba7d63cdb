import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/request/route-policy.js';
import { confirmSignupPage } from './confirm-signup-pages.js';

/** The page that the link in the mail opens; its button posts the token. */
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
