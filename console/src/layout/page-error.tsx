import { useRouter, type ErrorComponentProps } from '@tanstack/react-router';
import { useEffect } from 'react';
import { BASE, reach } from '../api/connection';
import { TabValue } from '../api/tab-value';
import { useTexts } from '../texts/texts';
import { Button, Card, styles } from '../ui/ui';

/** The script or the style sheet of a page could not be loaded. */
export class PageNotLoaded extends Error {
  override readonly name = 'PageNotLoaded';
}

/** The version of the console that was loaded again by itself. */
const reloaded = new TabValue('rcpt.reloaded');

/** In the place of a page that failed. */
export function PageError({ error, reset }: ErrorComponentProps) {
  const t = useTexts();
  const router = useRouter();
  const isNotLoaded = error instanceof PageNotLoaded;
  useEffect(() => {
    // An update of the service removed the files of the previous version. The name of this file has its hash.
    if (!isNotLoaded || reloaded.get() === import.meta.url) return;
    void whenReachable(() => {
      reloaded.set(import.meta.url);
      location.reload();
    });
  }, [isNotLoaded]);
  const retry = async () => {
    // Not every browser requests a script again that it could not load.
    if (isNotLoaded) return whenReachable(() => location.reload());
    reset();
    await router.invalidate();
  };
  return (
    <Card>
      <h1>{t.common.pageFailed}</h1>
      {isNotLoaded ? (
        <p>{t.common.pageFailedHint}</p>
      ) : (
        <p className={styles.muted}>{error instanceof Error ? error.message : String(error)}</p>
      )}
      <div className={styles.row}>
        <Button variant="primary" onClick={retry}>
          {t.common.retry}
        </Button>
        {!isNotLoaded && <Button onClick={() => location.reload()}>{t.common.reload}</Button>}
      </div>
    </Card>
  );
}

/** A reload while the service cannot be reached would lose the console. */
async function whenReachable(reload: () => void): Promise<void> {
  await reach(`${BASE}livez`).then(reload, () => undefined);
}
