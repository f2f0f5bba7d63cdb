import { Global, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { Lifecycle } from '../../kernel/lifecycle.js';
import { Meter } from '../../kernel/meter.js';
import { Tracing } from '../../kernel/tracing.js';
import { HealthRegistry } from '../../kernel/health-registry.js';
import { Config } from '../config/config.js';
import { createLog, Log } from './log.js';
import { OpenTelemetryTracing } from './open-telemetry-tracing.js';
import { PrometheusMeter } from './prometheus-meter.js';
import { version } from './version.js';

const METER = [PrometheusMeter, { provide: Meter, useExisting: PrometheusMeter }];
const TRACING = { provide: Tracing, useClass: OpenTelemetryTracing };
const STATE = [Lifecycle, HealthRegistry];

/** Log, metrics, traces, and the state of the process for `/readyz`. */
@Global()
@Module({})
export class TelemetryModule implements OnModuleInit {
  constructor(private readonly meter: Meter) {}

  onModuleInit(): void {
    const running = version();
    this.meter.gauge('rcpt_build_info', () => [{ labels: [running], value: 1 }]);
  }

  /** The log goes to standard output. */
  static forService(): DynamicModule {
    return TelemetryModule.with(({ logLevel }) => createLog(logLevel));
  }

  /** Errors go to standard error; standard output contains the result of the command. */
  static forCommandLine(): DynamicModule {
    return TelemetryModule.with(() => createLog('error', process.stderr));
  }

  private static with(log: (config: Config) => Log): DynamicModule {
    return {
      module: TelemetryModule,
      providers: [{ provide: Log, useFactory: log, inject: [Config] }, ...METER, TRACING, ...STATE],
      exports: [Log, Meter, PrometheusMeter, Tracing, ...STATE],
    };
  }
}
