import { Module, type DynamicModule } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { VerificationModule } from './modules/verification/verification.module.js';
import { VerificationService } from './modules/verification/verification.service.js';
import { PlatformModule, type StoredPlatform } from './platform/platform.module.js';
import type { Sweep } from './platform/time/sweeps.js';

const MINUTE_MS = 60_000;

/** Table of contents of everything asynchronous. */
@Module({ imports: [VerificationModule] })
export class WorkerModule {
  static on(platform: StoredPlatform): DynamicModule {
    return { module: WorkerModule, imports: [PlatformModule.of(platform)] };
  }

  /** What is done again and again; each run may happen on any worker, and twice does no harm. */
  static sweeps(services: Pick<ModuleRef, 'get'>): Sweep[] {
    const verification = services.get(VerificationService, { strict: false });
    return [{ name: 'erase expired facts', everyMs: 15 * MINUTE_MS, run: () => verification.eraseExpired() }];
  }
}
