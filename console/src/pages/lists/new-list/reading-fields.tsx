import { useTexts } from '../../../texts/texts';
import { Check, Field } from '../../../ui/ui';
import css from '../lists.module.css';
import { ENCODINGS, type Reading, type TableFile } from './table-file';

const MAX_NAME = 100;

/** The name of the list, and how its file is read. */
export function ReadingFields({
  table,
  column,
  onColumn,
  onRead,
}: {
  table: TableFile;
  /** The index of the column with the addresses; −1: none. */
  column: number;
  onColumn: (column: number) => void;
  /** Reads the file in another way. */
  onRead: (reading: Reading) => void;
}) {
  const t = useTexts();
  const { encoding, hasHeader, sheet } = table;
  return (
    <>
      <div className={css.fields}>
        <Field label={t.lists.name}>
          {(props) => (
            <input {...props} name="name" maxLength={MAX_NAME} defaultValue={nameFrom(table.file.name)} />
          )}
        </Field>
        <Field label={t.lists.column}>
          {(props) => (
            <select {...props} value={column} onChange={({ target }) => onColumn(Number(target.value))}>
              {column < 0 && <option value={-1}>—</option>}
              {table.columns.map((name, index) => (
                <option key={name} value={index}>
                  {name}
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
                onChange={({ target }) => onRead({ encoding: target.value, header: hasHeader })}
              >
                {ENCODINGS.map((name) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            )}
          </Field>
        )}
      </div>
      <Check
        label={t.lists.header}
        checked={hasHeader}
        onChange={({ target }) =>
          onRead({ encoding, header: target.checked, ...(sheet !== null && { sheet }) })
        }
      />
    </>
  );
}

function nameFrom(fileName: string): string {
  return fileName.replace(/\.[^.]+$/, '').slice(0, MAX_NAME);
}
