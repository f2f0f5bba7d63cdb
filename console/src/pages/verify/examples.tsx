import type { Verdict } from '../../api/client';
import { BASE } from '../../api/connection';
import { useTexts } from '../../texts/texts';
import { Tabs } from '../../ui/tabs';
import { Card, Copy } from '../../ui/ui';

/** The request of this page for other programs, and what the service answered. The key is not shown: it is a variable. */
export function Examples({ verdict, refresh }: { verdict: Verdict; refresh: boolean }) {
  const t = useTexts();
  const { email } = verdict;
  const body = JSON.stringify(refresh ? { email, refresh } : { email });
  const url = `${BASE}v1/verify`;
  const programs = {
    curl: `curl ${url} \\
  -H "Authorization: Bearer $RCPT_KEY" \\
  -H "Content-Type: application/json" \\
  -d ${shellQuoted(body)}`,
    TypeScript: `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.RCPT_KEY}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${body}),
});
const verdict = await response.json();
console.log(verdict.status, verdict.reason);`,
    Python: `import os, requests

response = requests.post(
    ${JSON.stringify(url)},
    headers={"Authorization": f"Bearer {os.environ['RCPT_KEY']}"},
    json=${body.replace(/"refresh":true/, '"refresh":True')},
)
verdict = response.json()
print(verdict["status"], verdict["reason"])`,
    [t.verify.response]: JSON.stringify(verdict, null, 2),
  };
  return (
    <Card title={t.verify.request}>
      <Tabs
        label={t.verify.request}
        tabs={Object.entries(programs).map(([name, text]) => ({
          id: name,
          label: name,
          content: <Copy text={text} label={name} />,
        }))}
      />
    </Card>
  );
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
