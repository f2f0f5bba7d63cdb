import { Global, Module, type DynamicModule, type InjectionToken } from '@nestjs/common';
import { Clock } from '../kernel/clock.js';
import { Lifecycle } from '../kernel/lifecycle.js';
import { Meter } from '../kernel/meter.js';
import { Vitals } from '../kernel/vitals.js';
import { Config } from './config/config.js';
import { Log } from './telemetry/log.js';
import { PrometheusMeter } from './telemetry/prometheus-meter.js';

/** What one process has once: made before the framework starts, ended after it. */
export interface Platform {
  config: Config;
  clock: Clock;
  log: Log;
  lifecycle: Lifecycle;
  vitals: Vitals;
  meter: PrometheusMeter;
}

/** Hands the platform's parts to whoever asks for them by their class. */
@Global()
@Module({})
export class PlatformModule {
  /** @param more parts than every platform has. */
  static of(platform: Platform, more: readonly (readonly [InjectionToken, unknown])[] = []): DynamicModule {
    const parts: readonly (readonly [InjectionToken, unknown])[] = [
      [Config, platform.config],
      [Clock, platform.clock],
      [Log, platform.log],
      [Lifecycle, platform.lifecycle],
      [Vitals, platform.vitals],
      [Meter, platform.meter],
      [PrometheusMeter, platform.meter],
      ...more,
    ];
    const providers = parts.map(([provide, useValue]) => ({ provide, useValue }));
    return { module: PlatformModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
