import { useQuery } from '@tanstack/react-query';
import { plansQuery } from '../../../api/plans';
import { useMe } from '../../../api/queries';
import { listPagesEn } from '../../../texts/lists/list-pages.en';
import { useTexts } from '../../../texts/texts';
import { ButtonLink } from '../../../ui/ui';
import css from '../lists.module.css';

/** What a tier without lists may do, and the way to one that starts them. */
export function PlanNeeded() {
  const t = useTexts(listPagesEn);
  const me = useMe();
  const required = useQuery(plansQuery).data?.data.find(({ features }) => features.includes('bulk'));
  return (
    <div className={css.deferred}>
      <div>
        <strong>{t.lists.notIncluded(me?.team.tier ?? '')}</strong>
        <p>
          {t.held.lookOnly} {required !== undefined && t.common.upgrade(required.tier)}
        </p>
      </div>
      <ButtonLink to="/usage">{t.lists.seePlan}</ButtonLink>
    </div>
  );
}
