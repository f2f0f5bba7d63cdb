import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, data } from '../../api/client';
import { useMe } from '../../api/queries';
import { useTexts } from '../../texts/texts';
import { QueryResult } from '../../ui/query-result';
import { PageHead } from '../../ui/page-head';
import { Button, ButtonLink, Empty, styles } from '../../ui/ui';
import { DropZone } from './new-list/drop-zone';
import { isEnded } from './job-events';
import { JobTable } from './job-table';
import { ListKeys, SEARCH } from './keys/list-keys';
import css from './lists.module.css';
import { MAX_SEARCH, useSearched } from './use-searched';
import { Pager, usePages } from '../../ui/pager';
import { useTitle } from '../../ui/use-title';

const POLL_MS = 4_000;

export function ListsPage() {
  const t = useTexts();
  useTitle(t.lists.title);
  const me = useMe();
  const hasBulk = me === null || me.features.includes('bulk');
  return (
    <div className={styles.stack}>
      <PageHead title={t.lists.title} intro={t.lists.intro} />
      {hasBulk ? (
        <DropZone />
      ) : (
        <Empty icon="list" title={t.lists.notIncluded(me.team.tier)}>
          <p>{t.lists.notIncludedHint}</p>
          <ButtonLink to="/usage">{t.lists.seePlan}</ButtonLink>
        </Empty>
      )}
      <Jobs hasBulk={hasBulk} />
    </div>
  );
}

function Jobs({ hasBulk }: { hasBulk: boolean }) {
  const t = useTexts();
  const [typed, setTyped] = useState('');
  const q = useSearched(typed);
  const { cursor, pager } = usePages(`jobs ${q}`);
  const query = { ...(q !== undefined && { q }), ...(cursor !== null && { cursor }) };
  const jobs = useQuery({
    queryKey: ['jobs', query],
    queryFn: ({ signal }) => data(api.GET('/v1/bulk-jobs', { params: { query }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.data.some((job) => !isEnded(job)) ? POLL_MS : false),
  });
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
      <QueryResult query={jobs}>
        {({ data: list, next_cursor: next }) =>
          list.length > 0 ? (
            <>
              <JobTable jobs={list} />
              <Pager {...pager} next={next} />
            </>
          ) : q === undefined ? (
            <Empty icon="list" title={t.lists.emptyTitle}>
              <p>{hasBulk ? t.lists.empty : t.lists.emptyPlan}</p>
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
