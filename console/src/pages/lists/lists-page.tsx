import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, data, type BulkJob } from '../../api/client';
import { useMe } from '../../api/queries';
import { listPagesEn } from '../../texts/lists/list-pages.en';
import { useTexts } from '../../texts/texts';
import { QueryResult } from '../../ui/query-result';
import { PageHead } from '../../ui/page-head';
import { Button, ButtonLink, Empty, styles } from '../../ui/ui';
import { useDiscarded } from './held/discarded';
import { HeldLimit, HeldLists } from './held/held-lists';
import { PlanNeeded } from './held/plan-needed';
import { DropZone } from './new-list/drop-zone';
import { isEnded } from './job-events';
import { JobTable } from './job-table';
import { ListKeys, SEARCH } from './keys/list-keys';
import css from './lists.module.css';
import { MAX_SEARCH, useSearched } from './use-searched';
import { Pager, usePages } from '../../ui/pager';
import { useTitle } from '../../ui/use-title';

const POLL_MS = 4_000;
/** Every table of tiers has it: it may not even look at a list. */
const SUSPENDED = 'suspended';

export function ListsPage() {
  const t = useTexts(listPagesEn);
  useTitle(t.lists.title);
  const me = useMe();
  const hasBulk = me === null || me.features.includes('bulk');
  const mayLook = hasBulk || me.team.tier !== SUSPENDED;
  return (
    <div className={styles.stack}>
      <PageHead title={t.lists.title} intro={t.lists.intro} />
      {mayLook ? (
        <>
          {!hasBulk && <PlanNeeded />}
          <HeldLimit />
          <DropZone />
        </>
      ) : (
        <Empty icon="list" title={t.lists.notIncluded(me.team.tier)}>
          <ButtonLink to="/usage">{t.lists.seePlan}</ButtonLink>
        </Empty>
      )}
      <Jobs mayLook={mayLook} />
    </div>
  );
}

/** A held list waits for a person. */
const isMoving = (job: BulkJob) => !isEnded(job) && job.status !== 'held';

function Jobs({ mayLook }: { mayLook: boolean }) {
  const t = useTexts(listPagesEn);
  const [typed, setTyped] = useState('');
  const q = useSearched(typed);
  const { cursor, pager } = usePages(`jobs ${q}`);
  const query = { ...(q !== undefined && { q }), ...(cursor !== null && { cursor }) };
  const jobs = useQuery({
    queryKey: ['jobs', query],
    queryFn: ({ signal }) => data(api.GET('/v1/bulk-jobs', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some(isMoving) ? POLL_MS : false),
  });
  const isSearch = q !== undefined;
  // Those that wait for a start stand above.
  const discarded = useDiscarded();
  const isShown = ({ id, status }: BulkJob) => status !== 'held' || (isSearch && !discarded.has(id));
  const hasLists = Boolean(jobs.data?.data.length) || typed !== '' || q !== undefined || cursor !== null;
  return (
    <section className={styles.stack}>
      {hasLists && (
        <div className={css.head}>
          <h2>{t.lists.earlier}</h2>
          <div role="search" className={css.search}>
            <input
              {...SEARCH}
              type="search"
              className={styles.input}
              aria-label={t.lists.search}
              placeholder={t.lists.search}
              maxLength={MAX_SEARCH}
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
            />
            <ListKeys />
          </div>
        </div>
      )}
      {!isSearch && <HeldLists />}
      <QueryResult query={jobs}>
        {({ data: list, next_cursor: next }) =>
          list.length > 0 ? (
            <>
              {list.some(isShown) && <JobTable jobs={list.filter(isShown)} />}
              <Pager {...pager} next={next} />
            </>
          ) : q === undefined ? (
            <Empty icon="list" title={t.lists.emptyTitle}>
              <p>{mayLook ? t.lists.empty : t.lists.emptyPlan}</p>
            </Empty>
          ) : (
            <div role="status">
              <Empty icon="list" title={t.lists.noMatch(q)}>
                <Button onClick={() => setTyped('')}>{t.lists.showAll}</Button>
              </Empty>
            </div>
          )
        }
      </QueryResult>
    </section>
  );
}
