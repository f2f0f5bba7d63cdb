import { EntitySchema } from 'typeorm';
import type { NewOutcome } from '../domain/outcome.js';

/** What became of one mail of a team to an address, which is stored as its keyed hash. */
interface OutcomeRow extends Omit<NewOutcome, 'key' | 'eventKey'> {
  teamId: string;
  addressHash: Buffer;
  eventKey: Buffer;
  source: string | null;
  reason: string | null;
  factsReason: string | null;
  host: string | null;
  provider: string | null;
  acceptedAt: Date | null;
  estimate: number | null;
}

export const OutcomeRowSchema = new EntitySchema<OutcomeRow>({
  name: 'OutcomeRow',
  tableName: 'outcomes',
  columns: {
    teamId: { name: 'team_id', type: 'text', primary: true },
    addressHash: { name: 'address_hash', type: 'bytea', primary: true },
    eventKey: { name: 'event_key', type: 'bytea', primary: true },
    kind: { type: 'text' },
    isHard: { name: 'is_hard', type: 'boolean' },
    category: { type: 'text', nullable: true },
    domain: { type: 'text' },
    at: { type: 'timestamptz' },
    code: { type: 'smallint', nullable: true },
    enhancedCode: { name: 'enhanced_code', type: 'text', nullable: true },
    text: { type: 'text', nullable: true },
    source: { type: 'text', nullable: true },
    reason: { type: 'text', nullable: true },
    factsReason: { name: 'facts_reason', type: 'text', nullable: true },
    host: { type: 'text', nullable: true },
    provider: { type: 'text', nullable: true },
    acceptedAt: { name: 'accepted_at', type: 'timestamptz', nullable: true },
    estimate: { type: 'real', nullable: true },
  },
});
