import type { ReactNode } from 'react';
import css from './page-head.module.css';
import { styles } from './ui';

/** The title of a page, what the page is for, and its first action. */
export function PageHead({
  title,
  intro,
  badges,
  children,
}: {
  title: string;
  intro?: string;
  badges?: ReactNode;
  /** At the end. */
  children?: ReactNode;
}) {
  return (
    <div className={css.head}>
      <div className={css.text}>
        <div className={styles.row}>
          <h1 className={css.title}>{title}</h1>
          {badges}
        </div>
        {intro !== undefined && <p className={styles.muted}>{intro}</p>}
      </div>
      {children}
    </div>
  );
}

/** A part of a page with settings: what it is about at the start, its form beside it. */
export function Section({
  title,
  intro,
  children,
}: {
  title: string;
  intro?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={css.section} aria-label={title}>
      <div className={css.text}>
        <h2>{title}</h2>
        {intro !== undefined && <p className={styles.muted}>{intro}</p>}
      </div>
      <div className={styles.card}>{children}</div>
    </section>
  );
}
