import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { explainReply } from '../../engine/replies/reply-explanation.js';
import { Ok, Operation } from '../../platform/http/openapi/operation.js';
import { AllowTestKeys } from '../../platform/http/request/route-policy.js';
import { noReply, ReplyExplainBody, ReplyExplanationResponse, toExplanation } from './replies.dto.js';

@ApiTags('Verification')
@Controller('v1/replies')
export class RepliesController {
  @Post('explain')
  @AllowTestKeys()
  @Operation(
    'explainReply',
    'How a reply of a mail server is classified',
    'The same classification as in verdicts, with the rule and the weights. Costs nothing.',
  )
  @Ok('The classification.', ReplyExplanationResponse)
  explain(@Body() { text, stage, provider }: ReplyExplainBody): ReplyExplanationResponse {
    const explanation = explainReply({ text, stage, provider, recipient: '' });
    if (explanation === null) throw noReply();
    return toExplanation(explanation);
  }
}
