import { Controller, Get, Header } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Config } from '../../platform/config/config.js';
import { Public } from '../../platform/http/request/route-policy.js';
import { escapeHtml, linkPage } from '../../platform/http/pages/html-page.js';
import { INVITE_LINK_TOKEN } from './domain/invite-token.js';

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

/**
 * Explains how to accept an invite. It is the same for every link, so it does not reveal whether a token is valid.
 * A token contains no character that is special in a shell.
 */
export function acceptInvitePage(publicUrl: string): string {
  return linkPage({
    title: 'accept an invite',
    heading: 'You are invited to a team',
    token: INVITE_LINK_TOKEN,
    body: instructions(escapeHtml(publicUrl)),
    incomplete: 'This link is incomplete. Copy the whole link from the invite.',
    script: 'link-token.js',
  });
}

function instructions(url: string): string {
  const token = '<span class="token"></span>';
  return `<p>If you have a key of Rcpt, join with it:</p>
<pre>curl '${url}/v1/invites/accept' \\
  -H 'Authorization: Bearer <i>your key</i>' \\
  -H 'Content-Type: application/json' \\
  -d '{"token":"${token}"}'</pre>
<p>If not, sign up with the invite; the response contains your first key:</p>
<pre>curl '${url}/signup' \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"<i>your address</i>","invite_token":"${token}"}'</pre>
<p>The invite can be used once. Anyone with this link can join, so do not share it.
See the <a href="${url}/docs">documentation</a>.</p>`;
}
