import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, data, type Schemas } from '../../api/client';
import type { PolicyRule } from './rules';

/** Between a change and the request, so that several changes make one. */
const SETTLE_MS = 400;

interface Question {
  rules: readonly PolicyRule[];
  days: number;
}

export interface PreviewState {
  /** Of the rules `sent`, which may be earlier ones; null: there was none yet. */
  found: (Schemas['PolicyPreview'] & { sent: readonly PolicyRule[] }) | null;
  /** `found` is about the rules and days of now. */
  isCurrent: boolean;
  error: Error | null;
}

/** What the rules would change. It follows every change. @param rules null: there is no draft. */
export function usePreview(rules: readonly PolicyRule[] | null, days: number): PreviewState {
  const [asked, setAsked] = useState<Question | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(rules && { rules, days }), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [rules, days]);
  const query = useQuery({
    queryKey: ['policy-preview', asked],
    queryFn: async ({ signal }) => {
      const { rules: sent, days: since } = asked!;
      const body = { rules: [...sent], days: since };
      return { sent, ...(await data(api.POST('/v1/policy/preview', { body, signal }))) };
    },
    enabled: asked !== null,
    placeholderData: keepPreviousData,
  });
  const isAsked = asked !== null && asked.rules === rules && asked.days === days;
  return {
    found: query.data ?? null,
    isCurrent: isAsked && query.isSuccess && !query.isFetching,
    error: isAsked ? query.error : null,
  };
}
