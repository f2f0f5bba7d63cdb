import type { Schemas } from '../../api/client';
import { BASE } from '../../api/connection';
import { publishableEn } from '../../texts/team/publishable.en';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { Button, Copy, styles } from '../../ui/ui';

/** One failed request, with what its error means. */
export function RequestPanel({
  request,
  keyName,
  onCode,
  onClose,
}: {
  request: Schemas['FailedRequest'];
  keyName: string;
  onCode: (code: string) => void;
  onClose: () => void;
}) {
  const t = useTexts(teamEn);
  const { requestDetails } = useTexts(publishableEn);
  const { exactTime, number } = useFormats();
  const { at, method, route, status, code, key_id: keyId, request_id: requestId, duration_ms: ms } = request;
  return (
    <Dialog title={requestDetails.title} isPanel onClose={onClose}>
      <div className={styles.stack}>
        <p>
          <code>
            {method} {route}
          </code>
        </p>
        <p className={styles.muted}>
          {exactTime(at)} · {t.requests.duration(number(ms))}
        </p>
        <p>
          <strong>{status}</strong> {code === null ? t.requests.cutOff : (t.problem[code] ?? '')}{' '}
          {code !== null && <code>{code}</code>}
        </p>
        {code !== null && (
          <p className={styles.row}>
            <a href={`${BASE}docs/errors#${code}`} target="_blank" rel="noreferrer">
              {requestDetails.about}
            </a>
            <Button small onClick={() => onCode(code)}>
              {t.requests.onlyThis}
            </Button>
          </p>
        )}
        <p>
          {requestDetails.key}: {keyName} <code>{keyId}</code>
        </p>
        <h3>{t.requests.id}</h3>
        <Copy text={requestId} label={t.requests.id} />
      </div>
    </Dialog>
  );
}
