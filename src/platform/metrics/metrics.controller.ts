import { Controller, Get, Header, StreamableFile } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Config } from '../config/config.js';
import { Public } from '../http/request/route-policy.js';
import { RouteNotFound } from '../http/problems/problems.js';
import { PrometheusMeter } from '../telemetry/prometheus-meter.js';

@ApiTags('Health')
@Public()
@Controller()
export class MetricsController {
  constructor(
    private readonly config: Config,
    private readonly meter: PrometheusMeter,
  ) {}

  @Get('metrics')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'metrics', summary: 'The metrics of this process, for Prometheus' })
  @ApiOkResponse({
    description: 'The text format of Prometheus.',
    content: { 'text/plain': { schema: { type: 'string' } } },
  })
  async read(): Promise<StreamableFile> {
    // With `METRICS_PORT` it is on a separate port.
    if (this.config.metricsPort !== null) throw new RouteNotFound('No route has this path.');
    const bytes = await this.meter.expose();
    // Express would copy a text for each response.
    return new StreamableFile(bytes, { type: PrometheusMeter.CONTENT_TYPE, length: bytes.length });
  }
}
