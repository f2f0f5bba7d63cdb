import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '../http/documented.js';
import { Public } from '../http/access.js';
import { PrometheusMeter } from './prometheus-meter.js';

@ApiTags('Health')
@Public()
@Controller()
export class MetricsController {
  constructor(private readonly meter: PrometheusMeter) {}

  @Get('metrics')
  @Header('Content-Type', PrometheusMeter.CONTENT_TYPE)
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'metrics', summary: 'What this process has counted, for Prometheus' })
  @ApiOkResponse({
    description: 'The text format of Prometheus.',
    content: { 'text/plain': { schema: { type: 'string' } } },
  })
  read(): Promise<string> {
    return this.meter.expose();
  }
}
