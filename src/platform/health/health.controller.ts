import { Controller, Get, Header } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { withDeadline } from '../../kernel/deadline.js';
import { Lifecycle } from '../../kernel/service-state/lifecycle.js';
import { HealthRegistry, type HealthStatus } from '../../kernel/service-state/health-registry.js';
import { Pause } from '../../kernel/service-state/pause.js';
import { DatabaseStorage } from '../database/database-storage.js';
import { isMigrated } from '../database/migrate.js';
import { Flag, OneOf, Schema } from '../http/validation/fields.js';
import { Public } from '../http/request/route-policy.js';
import { NotReady } from '../http/problems/problems.js';

/** A slower result is of no use to the caller. */
const TIMEOUT_MS = 1_500;

@Schema('Alive')
class Alive {
  @OneOf(['ok'])
  status: 'ok';
}

@Schema('Ready')
class Ready {
  @OneOf(['ok', 'degraded'])
  status: HealthStatus;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', enum: ['ok', 'degraded'] },
    example: { database: 'ok', migrations: 'ok', queue: 'ok' },
  })
  checks: Readonly<Record<string, HealthStatus>>;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Causes of degraded parts, if the name does not say it.',
    example: {},
  })
  reasons: Readonly<Record<string, string>>;

  @Flag({ description: 'The service sends nothing to other systems until `rcpt resume`.' })
  paused: boolean;
}

@ApiTags('Health')
@Public()
@Controller()
export class HealthController {
  constructor(
    private readonly dataSource: DataSource,
    private readonly storage: DatabaseStorage,
    private readonly lifecycle: Lifecycle,
    private readonly health: HealthRegistry,
    private readonly pause: Pause,
  ) {}

  @Get('livez')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'livez', summary: 'Liveness of the process' })
  @ApiOkResponse({ type: Alive, description: 'The process is running.' })
  live(): Alive {
    return { status: 'ok' };
  }

  @Get('readyz')
  @Header('Cache-Control', 'no-store')
  @ApiOperation({ operationId: 'readyz', summary: 'Readiness of the process' })
  @ApiOkResponse({ type: Ready, description: 'The process can serve requests.' })
  async ready(): Promise<Ready> {
    if (this.lifecycle.isDraining)
      throw new NotReady('The process is shutting down.', { members: { failing: 'process' } });
    const found = await withDeadline(TIMEOUT_MS, null, async () => ({
      error: await this.databaseError(),
    })).catch(() => null);
    if (found === null)
      throw new NotReady('The database is not available.', { members: { failing: 'database' } });
    if (found.error !== null) throw found.error;
    const checks: Record<string, HealthStatus> = {
      database: 'ok',
      migrations: 'ok',
      ...this.health.statuses(),
    };
    const status = Object.values(checks).includes('degraded') ? 'degraded' : 'ok';
    return { status, checks, reasons: this.health.reasons(), paused: this.pause.isPaused };
  }

  private async databaseError(): Promise<NotReady | null> {
    if (!(await isMigrated(this.dataSource)))
      return new NotReady('The database lacks migrations.', { members: { failing: 'migrations' } });
    const error = await this.storage.findError();
    return error === null ? null : new NotReady(error, { members: { failing: 'database' } });
  }
}
