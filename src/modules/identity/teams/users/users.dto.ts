import { Id, Schema, Text, Time } from '../../../../platform/http/validation/fields.js';
import type { User } from './users.service.js';

@Schema('User')
export class UserResponse {
  @Id('usr')
  id: string;

  @Text({ example: 'jane@example.com' })
  email: string;

  @Time()
  created_at: string;
}

export function toUserResponse({ id, email, createdAt }: User): UserResponse {
  return { id, email, created_at: createdAt.toISOString() };
}
