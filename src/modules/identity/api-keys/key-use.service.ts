import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { BatchedWriter } from '../../../kernel/concurrency/batched-writer.js';
import type { KeyId } from '../../../kernel/principal.js';
import { UnitOfWork } from '../../../kernel/unit-of-work.js';
import { TeamsService } from '../teams/team/teams.service.js';
import { ApiKeyRepository } from './domain/api-key.repository.js';

const COLLECT_MS = 10_000;

interface KeyUse {
  id: KeyId;
  at: Date;
}

/**
 * Records when each key was last used, and each member was last active: collected in memory and written in batches, so that requests do
 * not wait.
 */
@Injectable()
export class KeyUseService implements OnApplicationShutdown {
  private readonly uses = new BatchedWriter<KeyUse>({
    write: (uses) => this.write(uses),
    idOf: ({ id }) => id,
    merge: (one, other) => (one.at > other.at ? one : other),
    collectMs: COLLECT_MS,
  });

  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly teams: TeamsService,
    private readonly work: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.uses.close();
  }

  touch(id: KeyId): void {
    void this.uses.add('', { id, at: this.clock.now() });
  }

  /** Writes the collected uses; on failure they are written the next time. */
  async flush(): Promise<void> {
    await this.uses.flush();
  }

  private async write(uses: readonly KeyUse[]): Promise<void> {
    try {
      await this.work.run(async () => {
        const ofMembers = await this.keys.saveUses(new Map(uses.map(({ id, at }) => [id, at])));
        await this.teams.recordActivity(ofMembers);
      });
    } catch {
      for (const use of uses) void this.uses.add('', use);
    }
  }
}
