import { listPagesEn } from '../../../texts/lists/list-pages.en';
import { useFormats, useTexts } from '../../../texts/texts';
import { Check, Field, styles } from '../../../ui/ui';
import css from '../lists.module.css';
import { ENCODINGS, type Reading, type TableFile } from './table-file';

const MAX_NAME = 100;
/** As many rows show how a file is read. */
const MAX_HEADER_ROW = 100;

/** The name of the list, and how its file is read. */
export function ReadingFields({
  table,
  name,
  column,
  onColumn,
  onRead,
}: {
  table: TableFile;
  /** Of the list; undefined: that of the file. */
  name: string | undefined;
  /** The index of the column with the addresses; −1: none. */
  column: number;
  onColumn: (column: number) => void;
  /** Reads the file in another way. */
  onRead: (reading: Reading) => void;
}) {
  const t = useTexts(listPagesEn);
  const { encoding, hasHeader, headerLine, sheet } = table;
  const { number } = useFormats();
  const onHeader = (header: boolean | number) =>
    onRead({ encoding, header, ...(sheet !== null && { sheet }) });
  const found = table.samples.map(({ addresses, wrapped }) => addresses + wrapped);
  const nameOf = (index: number, label: string) =>
    (found[index] ?? 0) > 0 ? `${label} · ${t.kept.addressesIn(number(found[index] ?? 0))}` : label;
  const others = table.columns.filter((_, index) => index !== column && isOfAddresses(table, index));
  return (
    <>
      <div className={css.fields}>
        <Field label={t.lists.name}>
          {(props) => (
            <input
              {...props}
              name="name"
              maxLength={MAX_NAME}
              defaultValue={name ?? nameFrom(table.file.name)}
            />
          )}
        </Field>
        <Field label={t.lists.column}>
          {(props) => (
            <select {...props} value={column} onChange={({ target }) => onColumn(Number(target.value))}>
              {column < 0 && <option value={-1}>—</option>}
              {table.columns.map((name, index) => (
                <option key={name} value={index}>
                  {nameOf(index, name)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {table.sheets.length > 1 && (
          <Field label={t.lists.sheet}>
            {(props) => (
              <select
                {...props}
                value={sheet ?? ''}
                onChange={({ target }) => onRead({ sheet: target.value })}
              >
                {table.sheets.map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            )}
          </Field>
        )}
        {table.isEncodingOpen && (
          <Field label={t.lists.encoding}>
            {(props) => (
              <select
                {...props}
                value={encoding}
                onChange={({ target }) => onRead({ encoding: target.value, header: headerLine ?? false })}
              >
                {ENCODINGS.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            )}
          </Field>
        )}
      </div>
      {others.length > 0 && <p role="note">{t.kept.otherColumns(others.join(', '))}</p>}
      <div className={styles.row}>
        <Check
          label={t.lists.header}
          checked={hasHeader}
          onChange={({ target }) => onHeader(target.checked)}
        />
        {headerLine !== null && (
          <Field label={t.kept.headerRow}>
            {(props) => (
              <input
                {...props}
                key={headerLine}
                type="number"
                min={1}
                max={MAX_HEADER_ROW}
                className={`${styles.input} ${css.rowNumber}`}
                defaultValue={headerLine}
                onChange={({ target }) => {
                  if (target.validity.valid && target.value !== '') onHeader(target.valueAsNumber);
                }}
              />
            )}
          </Field>
        )}
      </div>
    </>
  );
}

/** Whether most of its cells that are not empty are addresses. */
function isOfAddresses({ samples }: TableFile, index: number): boolean {
  const { cells = 0, addresses = 0, wrapped = 0 } = samples[index] ?? {};
  return cells > 0 && 2 * (addresses + wrapped) > cells;
}

function nameFrom(fileName: string): string {
  return fileName.replace(/\.[^.]+$/, '').slice(0, MAX_NAME);
}
