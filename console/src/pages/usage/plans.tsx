import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client';
import { plansQuery } from '../../api/plans';
import { useIsLive, useMe, usageQuery } from '../../api/queries';
import { teamEn } from '../../texts/team.en';
import { useFormats, useTexts } from '../../texts/texts';
import { ErrorNote } from '../../ui/query-result';
import { Card, styles } from '../../ui/ui';
import { UpgradeButton, useUpgrade } from '../../ui/upgrade-button';
import css from './usage.module.css';

type Plan = Schemas['Plan'];

/** What the tier includes, in words. */
export function CurrentPlan() {
  const t = useTexts(teamEn);
  const me = useMe();
  const isLive = useIsLive();
  const usage = useQuery(usageQuery).data;
  // Test keys have every feature, whatever the tier includes.
  if (me === null || !isLive) return null;
  return (
    <Card title={t.usage.plan(me.team.tier)}>
      <Included
        dailyQuota={usage?.quota.limit}
        bulkLimit={me.bulk_limit}
        features={me.features}
        retentionDays={me.team.retention_days}
      />
    </Card>
  );
}

/** The plans that the team can change to: what each includes, and what it costs. */
export function PlansOnSale() {
  const t = useTexts(teamEn);
  const { money } = useFormats();
  const me = useMe();
  const isLive = useIsLive();
  const upgrade = useUpgrade();
  const plans = useQuery(plansQuery);
  if (me === null || !isLive || plans.data === undefined) return null;
  const offered = offeredOf(plans.data.data, me.upgrades);
  if (offered.length === 0) return null;
  return (
    <section className={styles.stack}>
      <h2>{t.usage.upgrade}</h2>
      <div className={css.plans}>
        {offered.map((plan) => (
          <Card key={plan.tier} title={plan.tier}>
            <p className={css.price}>
              {plan.price === null
                ? t.usage.noPrice
                : t.usage.price(
                    money(plan.price.amount, plan.price.currency),
                    plan.price.interval,
                    plan.price.interval_count,
                  )}
            </p>
            <Included
              dailyQuota={plan.daily_quota}
              bulkLimit={plan.bulk_limit}
              features={plan.features}
              retentionDays={plan.retention_days}
            />
            <div>
              <UpgradeButton tier={plan.tier} label={t.usage.changeTo(plan.tier)} upgrade={upgrade} />
            </div>
          </Card>
        ))}
      </div>
      <ErrorNote error={upgrade.error} />
    </section>
  );
}

/**
 * A tier that the operator has given is a minimum: a lower plan would cost and change nothing, so it is not offered.
 * One that was bought can be changed to a lower one.
 */
function offeredOf(plans: readonly Plan[], upgrades: readonly string[]): Plan[] {
  const current = plans.findIndex(({ is_current: isCurrent }) => isCurrent);
  const isBought = plans[current]?.price !== null;
  return plans.filter(({ tier }, index) => upgrades.includes(tier) && (isBought || index > current));
}

function Included({
  dailyQuota,
  bulkLimit,
  features,
  retentionDays,
}: {
  /** Null: no limit; undefined: not known yet. */
  dailyQuota: number | null | undefined;
  bulkLimit: number;
  features: Plan['features'];
  retentionDays: number;
}) {
  const t = useTexts(teamEn);
  const { number } = useFormats();
  return (
    <ul className={css.included}>
      {dailyQuota !== undefined && (
        <li>{dailyQuota === null ? t.usage.noQuota : t.usage.perDay(number(dailyQuota))}</li>
      )}
      <li>{bulkLimit === 0 ? t.usage.noLists : t.usage.lists(number(bulkLimit))}</li>
      <li>{features.includes('schedules') ? t.usage.schedules : t.usage.noSchedules}</li>
      <li>{features.includes('refresh') ? t.usage.refresh : t.usage.noRefresh}</li>
      <li>{features.includes('domains') ? t.usage.domains : t.usage.noDomains}</li>
      <li>{bulkLimit === 0 ? t.usage.resultsKept(retentionDays) : t.usage.retention(retentionDays)}</li>
    </ul>
  );
}
