import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Of routes whose page has a form for something new. */
export interface NewSearch {
  new?: true;
}

/** Opens the form for something new where the address asks for it with `?new=true`, as the command menu does. */
export function useNewInAddress(open: () => void): void {
  const isAsked = useSearch({ strict: false, select: ({ new: asked }) => asked === true });
  const navigate = useNavigate();
  const latest = useRef(open);
  latest.current = open;
  useEffect(() => {
    if (!isAsked) return;
    latest.current();
    // A reload does not open it again.
    const search = ({ new: _, ...rest }: Record<string, unknown>) => rest;
    void navigate({ to: '.', search: search as never, replace: true });
  }, [isAsked, navigate]);
}
