import { useEffect, useRef } from 'react';
import { useFormats, useTexts } from '../../texts/texts';
import { webhooksEn } from '../../texts/webhooks.en';
import { Badge, Table, styles } from '../../ui/ui';
import { providerName } from '../../texts/provider-name';
import type { System } from './history';
import css from './system.module.css';

/** In the address of the page. */
const PLACE = 'sessions';
/** What each limit is, and what changes it. */
const WHY = 'https://github.com/rcpt/rcpt/blob/main/docs/mail-servers.md#why-a-request-waits';

/** The egresses to mail servers: their state, the outcomes of probes, and the ceilings of new ones. */
export function EgressTable({ egresses }: { egresses: System['egresses'] }) {
  const t = useTexts(webhooksEn);
  const { number } = useFormats();
  return (
    <section className={styles.stack}>
      <h2>{t.system.egresses}</h2>
      <Table
        label={t.system.egresses}
        head={[t.system.egress, t.common.status, t.system.replied, t.system.rejected, t.system.warmup]}
      >
        {egresses.map(({ name, cause, pause_seconds: pause, blocked_by: blocked, probes, warmup }) => (
          <tr key={name}>
            <td>{name}</td>
            <td>
              <Badge tone={cause === null ? 'deliverable' : 'risky'}>
                {cause === null ? t.system.inUse : t.system.cause[cause]}
              </Badge>{' '}
              {pause > 0 && t.system.pausedFor(Math.ceil(pause))}
              {blocked !== null && <div className={styles.muted}>{t.system.limits[blocked]}</div>}
            </td>
            <td>{number(probes.replied)}</td>
            <td>{number(probes.rejected)}</td>
            <td>
              {warmup.length === 0
                ? '–'
                : warmup.map(({ provider, used, ceiling }) => (
                    <div key={provider}>
                      {providerName(provider)}: {number(used)} / {number(ceiling)}
                    </div>
                  ))}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

/** The sessions with mail providers, of all processes. */
export function ProviderTable({ providers }: { providers: System['providers'] }) {
  const t = useTexts(webhooksEn);
  const { number } = useFormats();
  const head = useRef<HTMLHeadingElement>(null);
  // The page of a list that waits leads here, and the table was not there yet.
  useEffect(() => {
    if (location.hash !== `#${PLACE}`) return;
    head.current?.scrollIntoView();
    head.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section id={PLACE} className={styles.stack}>
      <h2 ref={head} tabIndex={-1} className={css.place}>
        {t.system.sessions}
      </h2>
      {providers.length === 0 ? (
        <p className={styles.muted}>{t.system.noSessions}</p>
      ) : (
        <Table
          label={t.system.sessions}
          head={[t.system.provider, t.system.egress, t.system.used, t.system.waiting, t.system.waitsFor]}
        >
          {providers.map(({ provider, egress, limit, used, waiting, blocked_by: blocked }) => (
            <tr key={`${provider} ${egress}`}>
              <td>{provider === 'other' ? t.system.other : providerName(provider)}</td>
              <td>{egress}</td>
              <td>
                {number(used)} / {number(limit)}
              </td>
              <td>{number(waiting)}</td>
              <td>
                {blocked === null ? (
                  '–'
                ) : (
                  <a href={WHY} target="_blank" rel="noreferrer">
                    {t.system.limits[blocked]}
                  </a>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

export function BreakerTable({ breakers }: { breakers: System['breakers'] }) {
  const t = useTexts(webhooksEn);
  const { number } = useFormats();
  return (
    <section className={styles.stack}>
      <h2>{t.system.breakers}</h2>
      {breakers.length === 0 ? (
        <p className={styles.muted}>{t.system.noBreakers}</p>
      ) : (
        <Table label={t.system.breakers} head={[t.system.provider, t.system.scope, t.system.open]}>
          {breakers.map(({ scope, provider, open }) => (
            <tr key={`${scope} ${provider}`}>
              <td>{provider === null ? t.system.other : providerName(provider)}</td>
              <td>{t.system.scopes[scope]}</td>
              <td>{number(open)}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
