import type { FoundCode, RemedyCode, Sentence } from './sentences.js';
import { DomainError, type ErrorDefinition } from '../../../../kernel/errors.js';

/** The result of one check of the installation. */
export interface Finding {
  /** The name, as in `rcpt doctor --json`. */
  check: string;
  /** The egress that was checked, if there are several; null: all of them. */
  egress: string | null;
  level: FindingLevel;
  /** The result, as a sentence: the texts of `findings`. */
  found: string;
  why: string;
  /** The text of `remedy`; null: nothing to do. */
  whatToDo: string | null;
  findings: readonly Sentence<FoundCode>[];
  remedy: Sentence<RemedyCode> | null;
  /** Of `skipped`: the check does not apply to this configuration, or was not wanted. */
  isNotApplicable?: true;
}

/** Of one egress, which has its name even if there is no other. */
export type EgressFinding = Finding & { egress: string };

/** `skipped`: could not be run. */
export const FINDING_LEVELS = ['pass', 'warn', 'fail', 'skipped'] as const;
export type FindingLevel = (typeof FINDING_LEVELS)[number];

export interface ExaminationOptions {
  /** Runs only the checks of the database and the queue. */
  offline: boolean;
  /** `address` or `egress=address`: the public addresses that this machine cannot determine. */
  egressIps: readonly string[];
}

/** Thrown on the command line only, so that no route documents it. */
export class InvalidEgressAddress extends DomainError {
  static readonly definition: ErrorDefinition = {
    code: 'invalid_request',
    status: 400,
    title: 'The address of an egress is not valid',
    help: 'It must be an address, or the name of an egress, an equals sign and an address.',
  };
}
