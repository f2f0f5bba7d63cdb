import {
  createContext,
  useContext,
  useId,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import css from './menu.module.css';

/** Between the button and its menu, and between the menu and the edge of the window. */
const GAP = 4;
const EDGE = 8;

const CloseMenu = createContext<() => void>(() => undefined);

/** A button with a menu that has the keys of the ARIA practices, in a popover of HTML: the browser closes it. */
export function Menu({
  label,
  button,
  className = css.button,
  isCurrent = false,
  children,
}: {
  label: string;
  /** The page that is shown is one of its links. */
  isCurrent?: boolean;
  /** What the button shows; its name is the label. */
  button: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  const trigger = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
  const close = () => menu.current?.hidePopover();
  const onKey = (event: KeyboardEvent) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === 'Tab') close();
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  };
  return (
    <>
      <button
        ref={trigger}
        type="button"
        className={className}
        aria-label={label}
        aria-current={isCurrent ? 'true' : undefined}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        popoverTarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          menu.current?.showPopover();
        }}
      >
        {button}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        className={css.menu}
        onKeyDown={onKey}
        onBeforeToggle={({ newState }) => {
          if (newState !== 'open' || trigger.current === null || menu.current === null) return;
          setIsOpen(true);
          place(menu.current, trigger.current.getBoundingClientRect());
        }}
        onToggle={({ newState }) => {
          if (newState !== 'open') return setIsOpen(false);
          items()[0]?.focus();
          // It does not move with the page.
          addEventListener('scroll', close, { once: true });
        }}
      >
        <CloseMenu value={close}>{isOpen && children}</CloseMenu>
      </div>
    </>
  );
}

/** Below the button or above it, where there is more room, and inside the window. */
function place({ style }: HTMLElement, { left, right, top, bottom }: DOMRect): void {
  const { clientWidth: width, clientHeight: height } = document.documentElement;
  const isBelow = top + bottom < height;
  const isAtStart = left + right < width;
  style.top = isBelow ? `${bottom + GAP}px` : 'auto';
  style.bottom = isBelow ? 'auto' : `${height - top + GAP}px`;
  style.left = isAtStart ? `${Math.max(EDGE, left)}px` : 'auto';
  style.right = isAtStart ? 'auto' : `${Math.max(EDGE, width - right)}px`;
  style.maxHeight = `${(isBelow ? height - bottom : top) - GAP - EDGE}px`;
}

/** Closes the menu before it acts, so that a dialog gives the focus back to the button of the menu. */
export function MenuItem({
  onSelect,
  isDangerous = false,
  ...rest
}: Omit<ComponentProps<'button'>, 'onSelect'> & { onSelect: () => void; isDangerous?: boolean }) {
  const close = useContext(CloseMenu);
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      className={isDangerous ? `${css.item} ${css.danger}` : css.item}
      onClick={() => {
        close();
        onSelect();
      }}
      {...rest}
    />
  );
}

/** One of several values. */
export function MenuRadio({ isChecked, ...rest }: ComponentProps<typeof MenuItem> & { isChecked: boolean }) {
  return <MenuItem role="menuitemradio" aria-checked={isChecked} {...rest} />;
}

/** Closes the menu when it is followed. */
export function MenuLink(props: ComponentProps<'a'>) {
  const close = useContext(CloseMenu);
  return <a role="menuitem" tabIndex={-1} className={css.item} onClick={close} {...props} />;
}

/** For links of the router, which have a component of their own. */
export function useMenuLink() {
  const close = useContext(CloseMenu);
  return { role: 'menuitem', tabIndex: -1, className: css.item, onClick: close } as const;
}

export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={css.group}>
      <div id={id} className={css.label}>
        {label}
      </div>
      {children}
    </div>
  );
}

export function MenuNote({ children }: { children: ReactNode }) {
  return (
    <div className={css.label} role="presentation">
      {children}
    </div>
  );
}
