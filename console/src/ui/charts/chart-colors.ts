import type { Status } from '../../api/client';

/** Areas are brighter than texts: risky is amber and not brown. */
export const colorOf = (status: Status) => `var(--chart-${status})`;
