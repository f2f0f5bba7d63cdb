import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { explainReply } from '../../engine/replies/reply-explanation.js';
import { InvalidRequest } from '../../kernel/errors/invalid-request.js';
import { AllowTestKeys } from '../../platform/http/request/route-policy.js';
import { ReplyExplainBody, ReplyExplanationResponse, toExplanation } from './replies.dto.js';

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
    if (explanation === null) {
      const message = 'A reply begins with its code, as in 550 5.1.1 User unknown.';
      throw new InvalidRequest([{ pointer: '/text', code: 'invalid_format', message }]);
    }
    return toExplanation(explanation);
  }
}
