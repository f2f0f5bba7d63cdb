import type { EntitySchema } from 'typeorm';
import { ApiKeySchema } from './modules/api-keys/adapters/postgres-api-key.schema.js';
import { MemberSchema, TeamSchema, UserSchema } from './modules/teams/adapters/postgres-team.schema.js';

/** Every table that is mapped onto a domain class. */
export const SCHEMAS: EntitySchema[] = [UserSchema, TeamSchema, MemberSchema, ApiKeySchema];
