import { EntitySchema } from 'typeorm';

/** The only row of its table: a text that the keys of `SECRET_KEY` must decrypt. */
export const SecretKeyCheckRowSchema = new EntitySchema({
  name: 'SecretKeyCheckRow',
  tableName: 'secret_key_check',
  columns: {
    id: { type: 'boolean', primary: true, default: true },
    ciphertext: { type: 'text' },
  },
  checks: [{ name: 'secret_key_check_one_row', expression: 'id' }],
});
