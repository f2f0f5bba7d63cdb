import { useRef, useState, type KeyboardEvent } from 'react';
import { useFormats, useLanguage, useTexts, type Texts } from '../../texts/texts';
import { Icon } from '../../ui/icons';
import { Menu, MenuItem } from '../../ui/menu';
import { Badge, STATUS_SIGN, styles } from '../../ui/ui';
import css from './policy.module.css';
import { moved, sentenceOf, type PolicyRule, policyTexts } from './rules';

const TONE = { accept: 'deliverable', review: 'risky', reject: 'undeliverable' } as const;

/** The rules in their order, which admins change by dragging, by the arrow keys and by a menu. */
export function RuleList({
  rules,
  isEditable,
  onEdit,
  onChange,
}: {
  rules: readonly PolicyRule[];
  isEditable: boolean;
  onEdit: (rule: PolicyRule) => void;
  onChange: (rules: PolicyRule[]) => void;
}) {
  const t = useTexts(policyTexts);
  const dragged = useRef<number | null>(null);
  const [said, setSaid] = useState('');
  const move = (from: number, to: number) => {
    if (from === to || to < 0 || to >= rules.length) return;
    onChange(moved(rules, from, to));
    setSaid(t.policy.moved(to + 1, rules.length));
  };
  const onKey = (event: KeyboardEvent, at: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(at, at + step);
  };
  return (
    <>
      <ol className={css.rules} aria-label={t.policy.rules}>
        {rules.map((rule, n) => (
          <li
            key={rule.id}
            className={css.rule}
            onDragOver={(event) => {
              if (dragged.current === null) return;
              event.preventDefault();
              move(dragged.current, n);
              dragged.current = n;
            }}
            onDrop={(event) => event.preventDefault()}
          >
            {isEditable && (
              <button
                type="button"
                className={css.handle}
                draggable
                aria-label={t.policy.move(n + 1)}
                title={t.policy.moveHint}
                onDragStart={({ dataTransfer }) => {
                  dragged.current = n;
                  dataTransfer.effectAllowed = 'move';
                  // Firefox drags nothing without data.
                  dataTransfer.setData('text/plain', '');
                }}
                onDragEnd={() => (dragged.current = null)}
                onKeyDown={(event) => onKey(event, n)}
              >
                <Icon name="choose" />
              </button>
            )}
            <span className={css.number}>{n + 1}</span>
            <RuleText rule={rule} />
            {isEditable && (
              <Menu label={t.policy.actions(n + 1)} button={<Icon name="more" />}>
                <MenuItem onSelect={() => onEdit(rule)}>{t.policy.edit}</MenuItem>
                {n > 0 && <MenuItem onSelect={() => move(n, n - 1)}>{t.policy.up}</MenuItem>}
                {n < rules.length - 1 && <MenuItem onSelect={() => move(n, n + 1)}>{t.policy.down}</MenuItem>}
                <MenuItem isDangerous onSelect={() => onChange(rules.filter((each) => each !== rule))}>
                  {t.common.delete}
                </MenuItem>
              </Menu>
            )}
          </li>
        ))}
      </ol>
      <p className={styles.visuallyHidden} role="status">
        {said}
      </p>
    </>
  );
}

function RuleText({ rule }: { rule: PolicyRule }) {
  const t = useTexts(policyTexts);
  const { date } = useFormats();
  const language = useLanguage();
  const { decision, note, expires_at: end } = rule;
  const isOver = end !== null && Date.parse(end) <= Date.now();
  return (
    <div className={css.text}>
      <p className={isOver ? css.over : undefined}>
        <span aria-hidden="true">
          <Badge tone={TONE[decision]}>{STATUS_SIGN[TONE[decision]]}</Badge>
        </span>{' '}
        <bdi>{sentenceOf(t as Texts, language, rule)}</bdi>
      </p>
      {(note !== null || end !== null) && (
        <p className={styles.muted}>
          {end !== null && <span>{(isOver ? t.policy.expired : t.policy.expires)(date(end))}</span>}
          {note !== null && <bdi>{note}</bdi>}
        </p>
      )}
    </div>
  );
}
