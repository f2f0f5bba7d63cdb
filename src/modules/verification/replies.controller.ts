import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Ok, Operation } from '../../platform/http/openapi/operation.js';
import { AllowTestKeys } from '../../platform/http/request/route-policy.js';
import { explanationOf, ReplyExplainBody, ReplyExplanationResponse } from './replies.dto.js';

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
    return explanationOf({ text, stage, provider });
  }
}
