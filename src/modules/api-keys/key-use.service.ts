import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { KeyId } from '../../kernel/principal.js';
import { ApiKeyRepository } from './domain/api-key.repository.js';

const FLUSH_MS = 10_000;

/**
 * Records when each key was last used: collected in memory and written in batches, so that requests do
 * not wait.
 */
@Injectable()
export class KeyUseService implements OnModuleInit, OnApplicationShutdown {
  private uses = new Map<KeyId, Date>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    // The timer must not keep the command line running.
    this.timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  touch(id: KeyId): void {
    this.uses.set(id, this.clock.now());
  }

  /** Writes the collected uses; on failure they are written the next time. */
  async flush(): Promise<void> {
    if (this.uses.size === 0) return;
    const uses = this.uses;
    this.uses = new Map();
    try {
      await this.keys.recordUse(uses);
    } catch {
      this.uses = new Map([...uses, ...this.uses]);
    }
  }
}
