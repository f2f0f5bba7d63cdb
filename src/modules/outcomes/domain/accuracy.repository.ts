import type { TeamId } from '../../../kernel/principal.js';
import type { Accuracy } from './accuracy.js';

/** Port: compares verdicts with what became of the mails. */
export abstract class AccuracyRepository {
  abstract get(team: TeamId, since: Date): Promise<Accuracy>;
}
