import { Suspense, useState } from 'react';
import { lazyPage } from '../../lazy-page';
import { useTexts } from '../../texts/texts';
import { Loading } from '../../ui/query-result';
import { Untrusted } from '../../ui/untrusted';
import { Card } from '../../ui/ui';
import css from './verify.module.css';

const DomainFacts = lazyPage(() => import('./domain-facts'), 'DomainFacts');

/** What a domain says about its mail; requested once it is opened, because it costs a request of the rate. */
export function DomainPart({ domain }: { domain: string }) {
  const t = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Card>
      <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className={css.summary}>
          {t.verify.about} <Untrusted text={domain} />
        </summary>
        {isOpen && (
          <Suspense fallback={<Loading />}>
            <DomainFacts domain={domain} />
          </Suspense>
        )}
      </details>
    </Card>
  );
}
