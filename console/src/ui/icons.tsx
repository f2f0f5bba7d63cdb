const PATHS = {
  check: 'M4 12.5l5 5L20 6.5',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  mail: 'M3.5 6h17v12h-17zM4 6.500l8 6.500 8-6.500',
  team: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.500c2 .8 3.2 2.7 3.5 5.5',
  hook: 'M10 13a5 5 0 0 0 7.5.5l3-3a5 5 0 0 0-7-7L11.8 5.200M14 11a5 5 0 0 0-7.5-.5l-3 3a5 5 0 0 0 7 7l1.7-1.7',
  pulse: 'M3 12h4l3-8 4 16 3-8h4',
  key: 'M15 4a5 5 0 1 0-4.600 6.960L4 17.500V20h3v-2h2v-2h2l2.040-2.040A5 5 0 0 0 15 4ZM16 8h.01',
  chart: 'M4 20V4M4 20h16M8.500 16v-5M13 16V8M17.500 16v-3',
  log: 'M6 3.500h9l4 4V20.500H6zM14.500 3.500V8H19M9 12.500h7M9 16h5',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  choose: 'M8 9.500l4-4 4 4M8 14.500l4 4 4-4',
  block: 'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17ZM6 6l12 12',
  clock: 'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17ZM12 7.500V12l3 2',
  menu: 'M4 7h16M4 12h16M4 17h16',
  upload: 'M12 16V4M7 9l5-5 5 5M4 16v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3',
} as const;

export type IconName = keyof typeof PATHS | 'brand';

/** Decoration: the text beside it says the same. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  if (name === 'brand')
    return (
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#4453d6" />
        <path
          d="M8 16.500l5.2 5.200L24.5 10.5"
          fill="none"
          stroke="#fff"
          strokeWidth="3.4"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    );
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'more' ? 2.8 : 1.9}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
