import { EntitySchema } from 'typeorm';
import type { SelfCheck, SelfCheckDay } from '../domain/self-check.js';

export const SelfCheckSchema = new EntitySchema<SelfCheck>({
  name: 'SelfCheck',
  tableName: 'self_checks',
  columns: {
    name: { type: 'text', primary: true },
    egress: { type: 'text', primary: true },
    status: { type: 'text' },
    since: { type: 'timestamptz' },
    checkedAt: { name: 'checked_at', type: 'timestamptz' },
    detail: { type: 'text' },
    findings: { type: 'jsonb' },
    remedy: { type: 'jsonb', nullable: true },
    mailed: { type: 'text', nullable: true },
    mailedAt: { name: 'mailed_at', type: 'timestamptz', nullable: true },
  },
});

export const SelfCheckDaySchema = new EntitySchema<SelfCheckDay>({
  name: 'SelfCheckDay',
  tableName: 'self_check_days',
  columns: {
    day: { type: 'date', primary: true },
    name: { type: 'text', primary: true },
    egress: { type: 'text', primary: true },
    status: { type: 'text' },
    detail: { type: 'text' },
    findings: { type: 'jsonb' },
    remedy: { type: 'jsonb', nullable: true },
  },
});
