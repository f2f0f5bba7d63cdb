import { Body, Controller, Header, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { BodyGuard } from '../../../../platform/http/body/body.guard.js';
import { LimitedByNetwork } from '../../../../platform/http/request/limited-by-network.js';
import { Ok, Operation } from '../../../../platform/http/openapi/operation.js';
import { Public } from '../../../../platform/http/request/route-policy.js';
import { InviteOfferResponse, InviteRead, toOfferResponse } from './invites.dto.js';
import { InvitesService } from './invites.service.js';

/** An office may be one network, and a page is opened more than once. Nobody can guess a token. */
const READS = { ofNetwork: 60, windowMs: 60_000 };

/** For the page that a link opens: a POST, because paths are in the logs of proxies. It changes nothing. */
@ApiTags('Invites')
@Public()
@Controller('invites/read')
export class InviteOffersController {
  constructor(private readonly invites: InvitesService) {}

  @Post()
  @UseGuards(BodyGuard)
  @LimitedByNetwork(READS, 'The network of this client has read as many invites as are allowed in a minute.')
  @Header('Cache-Control', 'no-store')
  @Operation('readInvite', 'What an invite offers, for the holder of its token')
  @Ok('The team, the inviter and the role.', InviteOfferResponse)
  async read(@Body() { token }: InviteRead): Promise<InviteOfferResponse> {
    return toOfferResponse(await this.invites.read(token));
  }
}
