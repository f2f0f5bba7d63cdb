import { z } from 'zod';
import { listOf } from '../../platform/http/cursor.js';
import { DomainField, remarkOf } from '../../platform/http/fields.js';
import {
  OVERRIDE_STATUSES,
  OVERRIDE_VERDICTS,
  type DisposableOverride,
} from './domain/disposable-override.js';

export const DisposableOverrideAdd = z
  .strictObject({
    domain: DomainField,
    verdict: z.enum(OVERRIDE_VERDICTS, `Send one of ${OVERRIDE_VERDICTS.join(', ')}.`),
    note: remarkOf(200).meta({ description: 'Why, for the operator who may merge it.' }),
  })
  .meta({ id: 'DisposableOverrideAdd' });

export const OverriddenDomain = z.strictObject({ domain: DomainField });

export const DisposableOverrideResponse = z
  .strictObject({
    id: z.string(),
    domain: z.string().meta({ description: 'A-label, lower case; covers its subdomains.' }),
    verdict: z.enum(OVERRIDE_VERDICTS),
    note: z.string().nullable(),
    status: z.enum(OVERRIDE_STATUSES).meta({
      description:
        'In force for the team in any case. `merged`: the operator put it in force for all; `rejected`: will not.',
    }),
    created_at: z.iso.datetime(),
    created_by: z.string().nullable().meta({ description: 'The user.' }),
  })
  .meta({ id: 'DisposableOverride' });
export type DisposableOverrideResponse = z.infer<typeof DisposableOverrideResponse>;

export const DisposableOverridePage = listOf(DisposableOverrideResponse);
export type DisposableOverridePage = z.infer<typeof DisposableOverridePage>;

export const PendingOverrides = z
  .strictObject({
    pending: z.int().meta({ description: 'The team’s overrides that wait for the operator.' }),
  })
  .meta({ id: 'PendingOverrides' });
export type PendingOverrides = z.infer<typeof PendingOverrides>;

export function toResponse(override: DisposableOverride): DisposableOverrideResponse {
  return {
    id: override.id,
    domain: override.domain,
    verdict: override.verdict,
    note: override.note,
    status: override.status,
    created_at: override.createdAt.toISOString(),
    created_by: override.createdBy,
  };
}
