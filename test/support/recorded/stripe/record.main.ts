import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const HELP = `Records the objects of a stripe-mock on 127.0.0.1, in ${import.meta.dirname}/objects.json.

  npm run ts test/support/recorded/stripe/record.main.ts PORT VERSION

stripe-mock answers from Stripe's OpenAPI document, and keeps nothing. Recorded: 0.203.0.
`;
/** Those that the fake of the tests has. */
const REQUESTS: readonly [method: string, path: string, form?: string][] = [
  ['GET', 'subscriptions/sub_1'],
  ['GET', 'subscriptions?customer=cus_1&status=all&limit=100'],
  ['GET', 'prices/price_1'],
  ['GET', 'invoices?customer=cus_1&limit=1'],
  ['GET', 'customers/cus_1'],
  ['DELETE', 'customers/cus_1'],
  ['POST', 'customers', 'email=jane@example.com&metadata[team_id]=1'],
  [
    'POST',
    'checkout/sessions',
    'mode=subscription&customer=cus_1&success_url=https://example.com&line_items[0][price]=price_1&line_items[0][quantity]=1',
  ],
  ['POST', 'checkout/sessions/cs_1/expire', ''],
  ['DELETE', 'subscriptions/sub_1'],
  ['GET', 'prices?limit=1'],
  ['POST', 'billing_portal/sessions', 'customer=cus_1&return_url=https://example.com'],
  ['POST', 'customers', 'nothing=1'],
  ['GET', 'nothing'],
];

const [port, version] = process.argv.slice(2);
if (port === undefined || version === undefined) {
  process.stderr.write(HELP);
  process.exit(64);
}

const exchanges = [];
for (const [method, path, form] of REQUESTS) {
  const response = await fetch(`http://127.0.0.1:${port}/v1/${path}`, {
    method,
    headers: {
      authorization: 'Bearer sk_test_1',
      ...(form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    body: form ?? null,
  });
  // The address of a validator is another one in each process.
  const body: unknown = JSON.parse((await response.text()).replace(/0x[\da-f]+/, '0x0'));
  exchanges.push({ request: { method, path, form }, response: { status: response.status, body } });
}
const file = join(import.meta.dirname, 'objects.json');
const lines = exchanges.map((exchange) => JSON.stringify(exchange)).join(',\n');
await writeFile(file, `{\n"program": "stripe-mock ${version}",\n"exchanges": [\n${lines}\n]\n}\n`);
process.stdout.write(`${file}\n`);
