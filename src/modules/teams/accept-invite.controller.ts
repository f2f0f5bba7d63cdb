import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/request/route-policy.js';
import { acceptInvitePage } from './accept-invite-page.js';

/** The page that the link in an invite opens, for people with or without a key. */
@ApiExcludeController()
@Public()
@Controller('accept-invite')
export class AcceptInviteController {
  constructor(private readonly config: Config) {}

  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  page(): string {
    return acceptInvitePage(this.config.publicUrl);
  }
}
