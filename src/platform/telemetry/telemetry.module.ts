import { Global, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { Lifecycle } from '../../kernel/service-state/lifecycle.js';
import { Meter } from '../../kernel/meter.js';
import { Tracing } from '../../kernel/tracing.js';
import { HealthRegistry } from '../../kernel/service-state/health-registry.js';
import { Pause } from '../../kernel/service-state/pause.js';
import { Config } from '../config/config.js';
import { Log } from './log.js';
import { createLog, standardOutput } from './pino-log.js';
import { OpenTelemetryTracing } from './open-telemetry-tracing.js';
import { PrometheusMeter } from './prometheus-meter.js';
import { version } from './version.js';

/** Log, metrics, traces, and the state of the process for `/readyz`. */
@Global()
@Module({})
export class TelemetryModule implements OnModuleInit {
  constructor(private readonly meter: Meter) {}

  onModuleInit(): void {
    const running = version();
    this.meter.gauge('rcpt_build_info', () => [{ labels: [running], value: 1 }]);
  }

  /** @param log default: to standard output. */
  static forRoot(
    log = ({ logLevel, logFormat }: Config): Log => createLog(logLevel, standardOutput(logFormat)),
  ): DynamicModule {
    return {
      module: TelemetryModule,
      providers: [
        { provide: Log, useFactory: log, inject: [Config] },
        PrometheusMeter,
        { provide: Meter, useExisting: PrometheusMeter },
        { provide: Tracing, useClass: OpenTelemetryTracing },
        Lifecycle,
        HealthRegistry,
        Pause,
      ],
      exports: [Log, Meter, PrometheusMeter, Tracing, Lifecycle, HealthRegistry, Pause],
    };
  }
}
