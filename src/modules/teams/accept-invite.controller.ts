import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiExcludeController } from '../../platform/http/documented.js';
import { Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/route-policy.js';
import { acceptInvitePage } from './accept-invite-page.js';

/** Where the link in an invite leads: a page for a person, who has no key yet or needs to know where to use it. */
@ApiExcludeController()
@Public()
@Controller('accept-invite')
export class AcceptInviteController {
  constructor(private readonly config: Config) {}

  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  @Header('Cache-Control', 'no-store')
  page(@Query('token') token: unknown): string {
    return acceptInvitePage(this.config.publicUrl, token);
  }
}
