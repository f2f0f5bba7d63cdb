import * as RadixTabs from '@radix-ui/react-tabs';
import type { ReactNode } from 'react';
import { styles } from './ui';

export interface Tab {
  id: string;
  label: string;
  content: ReactNode;
}

export function Tabs({
  tabs,
  label,
  value,
  onChange,
}: {
  tabs: Tab[];
  label: string;
  value?: string;
  onChange?: (id: string) => void;
}) {
  return (
    <RadixTabs.Root
      {...(value === undefined ? { defaultValue: tabs[0]?.id ?? '' } : { value })}
      {...(onChange && { onValueChange: onChange })}
    >
      <RadixTabs.List className={styles.tabs} aria-label={label}>
        {tabs.map(({ id, label: text }) => (
          <RadixTabs.Trigger key={id} value={id} className={styles.tab}>
            {text}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map(({ id, content }) => (
        <RadixTabs.Content key={id} value={id} className={styles.panel} tabIndex={-1}>
          {content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
