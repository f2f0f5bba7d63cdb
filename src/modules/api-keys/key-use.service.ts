import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { KeyId } from '../../kernel/principal.js';
import { ApiKeyRepository } from './domain/api-key.repository.js';

const FLUSH_MS = 10_000;

/** When each key was last used: gathered in memory, written in batches, so that no request waits for it. */
@Injectable()
export class KeyUseService implements OnModuleInit, OnApplicationShutdown {
  private uses = new Map<KeyId, Date>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    // The command line ends without closing; nothing of ours may keep it.
    this.timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  touch(id: KeyId): void {
    this.uses.set(id, this.clock.now());
  }

  /** Writes what was gathered; what the database does not take now, it is given the next time. */
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
