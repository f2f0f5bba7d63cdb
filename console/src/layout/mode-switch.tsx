import { Suspense, useState } from 'react';
import type { Me } from '../api/client';
import { switchTo, useOtherKey } from '../api/session';
import { lazyPage } from '../lazy-page';
import { useTexts } from '../texts/texts';
import styles from './layout.module.css';

const OtherMode = lazyPage(() => import('../pages/sign-in/other-mode'), 'OtherMode');

/** Switches between the live and the test key of the session. The first time it asks for the other key. */
export function ModeSwitch({ mode }: { mode: Me['key']['mode'] }) {
  const t = useTexts();
  const other = useOtherKey();
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <button
        type="button"
        role="switch"
        aria-checked={mode === 'test'}
        title={mode === 'test' ? t.common.testModeHint : undefined}
        className={styles.mode}
        onClick={() => (other === null ? setIsAsking(true) : switchTo(other))}
      >
        <span className={styles.modeName}>{t.common.testMode}</span>
      </button>
      {isAsking && (
        <Suspense fallback={null}>
          <OtherMode onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
