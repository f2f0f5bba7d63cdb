import { api, data } from '../../api/client';
import { useMe } from '../../api/queries';
import { switchTo } from '../../api/session';
import { teamEn } from '../../texts/team.en';
import { useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { ErrorNote } from '../../ui/query-result';
import { Button, styles } from '../../ui/ui';
import { useApiMutation } from '../../ui/use-api-mutation';
import { KeyForm } from './key-form';

const MONTH_MS = 30 * 86_400_000;

/** Asks for a key of the mode that the session has no key of, and uses it. */
export function OtherMode({ onClose }: { onClose: () => void }) {
  const t = useTexts(teamEn);
  const me = useMe();
  const create = useApiMutation(async () => {
    const expires = new Date(Date.now() + MONTH_MS).toISOString();
    const body = { name: t.modes.keyName, mode: 'test', expires_at: expires } as const;
    const { key } = await data(api.POST('/v1/keys', { body }));
    if (key !== null) begin(key);
  }, []);
  if (me === null) return null;
  const isLive = me.key.mode === 'live';
  const begin = (key: string) => {
    onClose();
    switchTo(key);
  };
  return (
    <Dialog title={isLive ? t.modes.test : t.modes.live} onClose={onClose}>
      <p>{isLive ? t.modes.testIntro : t.modes.liveIntro}</p>
      {isLive && me.user !== null && (
        <>
          <p>{t.modes.createIntro}</p>
          <ErrorNote error={create.error} />
          <div className={styles.row}>
            <Button variant="primary" disabled={create.isPending} onClick={() => create.mutate(undefined)}>
              {t.modes.create}
            </Button>
          </div>
        </>
      )}
      <KeyForm
        label={isLive ? t.modes.testKey : t.modes.liveKey}
        placeholder={isLive ? 'rcpt_test_…' : 'rcpt_live_…'}
        submit={t.modes.use}
        refuse={({ key, team }) =>
          key.mode === me.key.mode
            ? isLive
              ? t.modes.notTest
              : t.modes.notLive
            : team.id === me.team.id
              ? null
              : t.modes.otherTeam(team.name)
        }
        onKey={begin}
        onCancel={onClose}
      />
    </Dialog>
  );
}
