import { useId, useState, type KeyboardEvent, type ReactNode } from 'react';
import { styles } from './ui';

export interface Tab {
  id: string;
  label: string;
  content: ReactNode;
}

/** With the keys of the ARIA practices: arrows choose a tab, and Tab leads to its panel. */
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
  const prefix = useId();
  const [own, setOwn] = useState(tabs[0]?.id);
  const chosen = value ?? own;
  const choose = (id: string) => {
    setOwn(id);
    onChange?.(id);
  };
  const onKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = tabs.findIndex(({ id }) => id === chosen);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    const tab = next === undefined ? undefined : tabs.at(next % tabs.length);
    if (tab === undefined) return;
    event.preventDefault();
    choose(tab.id);
    document.getElementById(`${prefix}${tab.id}`)?.focus();
  };
  return (
    <div>
      <div role="tablist" className={styles.tabs} aria-label={label} onKeyDown={onKey}>
        {tabs.map(({ id, label: text }) => (
          <button
            key={id}
            id={prefix + id}
            role="tab"
            aria-selected={id === chosen}
            aria-controls={`${prefix}panel`}
            tabIndex={id === chosen ? 0 : -1}
            className={styles.tab}
            onClick={() => choose(id)}
          >
            {text}
          </button>
        ))}
      </div>
      <div
        key={chosen}
        id={`${prefix}panel`}
        role="tabpanel"
        aria-labelledby={prefix + chosen}
        tabIndex={-1}
        className={styles.panel}
      >
        {tabs.find(({ id }) => id === chosen)?.content}
      </div>
    </div>
  );
}
