import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { api, data } from '../../api/client';
import { useMe } from '../../api/queries';
import { switchTo, useOtherKey } from '../../api/session';
import { lazyPage } from '../../lazy-page';
import { peopleEn } from '../../texts/team/people.en';
import { useTexts } from '../../texts/texts';
import { Button, Card } from '../../ui/ui';

const OtherMode = lazyPage(() => import('../sign-in/other-mode'), 'OtherMode');

/** A list that is not of this mode: each mode of a team has its own lists. */
export function MissingList({ id }: { id: string }) {
  const t = useTexts(peopleEn);
  const me = useMe();
  const other = useOtherKey();
  const [isAsking, setIsAsking] = useState(false);
  const found = useQuery({
    queryKey: ['job of the other mode', id],
    queryFn: () =>
      data(
        api.GET('/v1/bulk-jobs/{id}', {
          params: { path: { id } },
          headers: { Authorization: `Bearer ${other}` },
        }),
      ),
    enabled: other !== null,
    retry: false,
  });
  if (me === null || found.isLoading) return null;
  const texts = me.key.mode === 'live' ? t.missingList.live : t.missingList.test;
  const isThere = found.isSuccess;
  return (
    <>
      <Card>
        <h1>{isThere ? texts.isElsewhere : t.missingList.title}</h1>
        {!isThere && <p>{texts.mayBeElsewhere}</p>}
        {(isThere || other === null) && (
          <div>
            <Button
              variant={isThere ? 'primary' : undefined}
              onClick={() => (other === null ? setIsAsking(true) : switchTo(other))}
            >
              {texts.change}
            </Button>
          </div>
        )}
      </Card>
      {isAsking && (
        <Suspense fallback={null}>
          <OtherMode onClose={() => setIsAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
