import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { explainReply } from '../../engine/replies/reply-explanation.js';
import { AllowTestKeys } from '../../platform/http/request/route-policy.js';
import { noReply, ReplyExplainBody, ReplyExplanationResponse, toExplanation } from './replies.dto.js';

@ApiTags('Verification')
@Controller('v1/replies')
export class RepliesController {
  @Post('explain')
  @HttpCode(200)
  @AllowTestKeys()
  @ApiOperation({
    operationId: 'explainReply',
    summary: 'How a reply of a mail server is classified',
    description: 'The same classification as in verdicts, with the rule and the weights. Costs nothing.',
  })
  @ApiOkResponse({ type: ReplyExplanationResponse, description: 'The classification.' })
  explain(@Body() { text, stage, provider }: ReplyExplainBody): ReplyExplanationResponse {
    const explanation = explainReply({ text, stage, provider, recipient: '' });
    if (explanation === null) throw noReply();
    return toExplanation(explanation);
  }
}
