import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { OtherMode } from '../../pages/sign-in/other-mode';
import { commandsEn } from '../../texts/commands.en';
import { useTexts } from '../../texts/texts';
import { Dialog } from '../../ui/dialog';
import { styles } from '../../ui/ui';
import css from './command-menu.module.css';
import { useCommands, type Command } from './use-commands';

/** A field that finds pages, lists, webhooks and actions: a combobox of the ARIA practices, in a dialog. */
export function CommandMenu({ onClose }: { onClose: () => void }) {
  const t = useTexts(commandsEn);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [asksMode, setAsksMode] = useState(false);
  const groups = useCommands(typed, () => setAsksMode(true));
  const all = groups.flatMap(({ commands }) => commands);
  const current = all[Math.min(at, all.length - 1)];
  const optionId = (command: Command) => `${id}-${command.id}`;
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [current?.id]);
  if (asksMode) return <OtherMode onClose={onClose} />;
  const run = (command: Command) => {
    // The next dialog, or the field of the next page, takes the focus.
    if (command.isKept !== true) onClose();
    command.act();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || all.length === 0) return;
    event.preventDefault();
    setAt((Math.min(at, all.length - 1) + step + all.length) % all.length);
  };
  return (
    <Dialog title={t.commands.title} onClose={onClose}>
      <form
        className={css.menu}
        onSubmit={(event) => {
          event.preventDefault();
          if (current !== undefined) run(current);
        }}
      >
        <input
          type="text"
          role="combobox"
          className={styles.input}
          aria-label={t.commands.field}
          aria-expanded="true"
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={current && optionId(current)}
          placeholder={t.commands.field}
          autoComplete="off"
          spellCheck={false}
          maxLength={1_000}
          value={typed}
          onKeyDown={onKey}
          onChange={({ target }) => {
            setTyped(target.value);
            setAt(0);
          }}
        />
        <div ref={list} id={id} role="listbox" aria-label={t.commands.title} className={css.list}>
          {groups.map(({ label, commands }) => (
            <div key={label} role="group" aria-label={label}>
              <div className={css.label} aria-hidden="true">
                {label}
              </div>
              {commands.map((command) => (
                <div
                  key={command.id}
                  id={optionId(command)}
                  role="option"
                  aria-selected={command === current}
                  lang={command.lang}
                  className={css.option}
                  onClick={() => run(command)}
                >
                  {command.name}
                </div>
              ))}
            </div>
          ))}
        </div>
        <p role="status" className={styles.muted}>
          {all.length === 0 && t.commands.none}
        </p>
      </form>
    </Dialog>
  );
}
