import { EntitySchema } from 'typeorm';

/** The number of mails in a UTC day about one subject, such as a mailbox or a network, by keyed hash. */
export const MailCountRowSchema = new EntitySchema({
  name: 'MailCountRow',
  tableName: 'signup_mail_counts',
  columns: {
    day: { type: 'date', primary: true },
    counted: { type: 'bytea', primary: true },
    mails: { type: 'integer' },
  },
});
