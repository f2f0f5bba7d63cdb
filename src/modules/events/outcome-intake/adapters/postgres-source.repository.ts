import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../../../kernel/page.js';
import type { TeamId } from '../../../../kernel/principal.js';
import { keysetPage } from '../../../../platform/database/transactions/keyset-page.js';
import { PostgresUnitOfWork } from '../../../../platform/database/transactions/postgres-unit-of-work.js';
import { SecretKeys } from '../../../../platform/secrets/secret-keys.js';
import type { OutcomeSource } from '../domain/sources/source.js';
import { SourceRepository } from '../domain/sources/source.repository.js';
import { OutcomeSourceRowSchema } from './postgres-source.schema.js';

@Injectable()
export class PostgresSourceRepository extends SourceRepository {
  constructor(
    private readonly work: PostgresUnitOfWork,
    private readonly keys: SecretKeys,
  ) {
    super();
  }

  async add(source: OutcomeSource): Promise<void> {
    const secret = source.secret === null ? null : this.keys.encrypt(source.secret);
    await this.work.manager.insert(OutcomeSourceRowSchema, { ...source, secret });
  }

  count(teamId: TeamId): Promise<number> {
    return this.work.manager.countBy(OutcomeSourceRowSchema, { teamId });
  }

  async list(team: TeamId, request: PageRequest): Promise<Page<OutcomeSource>> {
    const query = this.work.manager
      .createQueryBuilder(OutcomeSourceRowSchema, 'source')
      .where('source.teamId = :team', { team });
    const page = await keysetPage(query, request);
    // Nobody is shown a secret, and one that cannot be decrypted must not hide the others.
    return { ...page, items: page.items.map((row) => ({ ...row, secret: null })) };
  }

  async delete(teamId: TeamId, id: string): Promise<boolean> {
    const { affected } = await this.work.manager.delete(OutcomeSourceRowSchema, { teamId, id });
    return affected === 1;
  }

  async findByDigest(tokenDigest: Buffer): Promise<OutcomeSource | null> {
    const row = await this.work.manager.findOneBy(OutcomeSourceRowSchema, { tokenDigest });
    return row && this.decrypted(row);
  }

  async saveTellsArrivals({ id }: OutcomeSource): Promise<void> {
    await this.work.manager.update(OutcomeSourceRowSchema, { id }, { tellsArrivals: true });
  }

  async addUsedToken({ id }: OutcomeSource, digest: Buffer, usedAt: Date): Promise<boolean> {
    const statement = `
      INSERT INTO outcome_source_tokens (source_id, digest, used_at) VALUES ($1, $2, $3)
      ON CONFLICT DO NOTHING RETURNING 1`;
    return (await this.work.manager.query<unknown[]>(statement, [id, digest, usedAt])).length > 0;
  }

  private decrypted(row: OutcomeSource): OutcomeSource {
    return { ...row, secret: row.secret === null ? null : this.keys.decrypt(row.secret) };
  }
}
