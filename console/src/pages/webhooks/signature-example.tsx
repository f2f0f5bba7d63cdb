import { Copy } from '../../ui/ui';

/** @param secret the team's own, just after it was made. */
export function SignatureExample({ secret }: { secret?: string }) {
  const given = secret === undefined ? 'process.env.RCPT_WEBHOOK_SECRET' : `'${secret}'`;
  return (
    <Copy
      label="TypeScript"
      text={`import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(${given});
// The raw body, before it is parsed. Throws if the signature is wrong.
const event = webhook.verify(rawBody, request.headers);`}
    />
  );
}
