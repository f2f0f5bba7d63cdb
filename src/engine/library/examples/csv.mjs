import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { createEngine } from '@rcpt/engine';
const rows = createReadStream(process.argv[2]).pipe(parse({ columns: true, on_record: (row) => row.email }));
for await (const { email, status } of createEngine().verifyMany(rows)) console.log(`${email},${status}`);
