import Papa from 'papaparse';
import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import { Icon } from '../../../ui/icons';
import { listPagesEn } from '../../../texts/lists/list-pages.en';
import { useTexts } from '../../../texts/texts';
import { Loading } from '../../../ui/query-result';
import { formText } from '../../../ui/form-text';
import { Button, Field, styles } from '../../../ui/ui';
import { pastedList } from '../../verify/draft';
import css from '../lists.module.css';
import { WrongFile } from './file-kind';
import { pastedAddresses } from './pasted-addresses';
import { PreviewForm } from './preview-form';
import { sentFile } from './sent-file';
import { readTableFile, type Reading, type TableFile } from './table-file';

/** Takes a file, by the pointer or the keyboard, and shows what is in it. */
export function DropZone() {
  const t = useTexts(listPagesEn);
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const [isReading, setIsReading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  // A list that was just uploaded is read in another way.
  const [earlier, setEarlier] = useState(() => sentFile.returned());
  useEffect(() => sentFile.show(), []);
  const [table, setTable] = useState<TableFile | null>(earlier?.table ?? null);
  const [hint, setHint] = useState<'oneFile' | 'openList' | null>(null);
  const hasTable = useRef(false);
  hasTable.current = table !== null;

  const read = async (file: File | undefined, reading?: Reading) => {
    if (file === undefined) return;
    setProblem(null);
    setIsReading(true);
    try {
      const sheets = reading && table?.sheets;
      const found = await readTableFile(file, t.lists.columnNumber, reading, sheets);
      if (found === null) setProblem(t.lists.emptyFile);
      // With another row as the header there may be none below it.
      if (found !== null || reading === undefined) setTable(found);
    } catch (error) {
      setTable(null);
      setProblem(error instanceof WrongFile ? t.lists.kinds[error.kind] : t.lists.unreadable);
    }
    setIsReading(false);
  };
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    const pasted = pastedList.get();
    pastedList.set(null);
    if (pasted !== null) void latest.current(fileOf(pasted, t.lists.pastedName));
  }, []);
  useEffect(() => {
    // Anywhere in the window: beside the zone the browser would open the file and leave the console.
    const over = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setIsOver(true);
    };
    const leave = (event: DragEvent) => event.relatedTarget === null && setIsOver(false);
    const drop = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setIsOver(false);
      const { files } = event.dataTransfer;
      if (hasTable.current) {
        setHint('openList');
        return;
      }
      void latest.current(files[0]).then(() => setHint(files.length > 1 ? 'oneFile' : null));
    };
    addEventListener('dragover', over);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragover', over);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  if (table !== null)
    return (
      <>
        {hint !== null && <p role="status">{hint === 'openList' ? t.kept.openList : t.lists[hint]}</p>}
        {problem !== null && (
          <p role="alert" className={styles.error}>
            {problem}
          </p>
        )}
        <PreviewForm
          table={table}
          earlier={earlier}
          onRead={(reading) => void read(table.file, reading)}
          onCancel={() => {
            setTable(null);
            setEarlier(null);
            setProblem(null);
            setHint(null);
          }}
        />
      </>
    );
  return (
    <div className={css.drop} data-over={isOver}>
      <Icon name="upload" size={30} />
      <p className={css.dropTitle}>{isOver ? t.lists.dropHere : t.lists.drop}</p>
      <p className={styles.muted}>{t.lists.formats}</p>
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.tab,.txt,.xlsx,text/csv"
        className={styles.visuallyHidden}
        onChange={(event) => {
          void read(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <label htmlFor={id} className={`${styles.button} ${styles.primary}`}>
        {t.lists.choose}
      </label>
      <PasteBox onPaste={(file) => void read(file)} />
      {isReading && <Loading>{t.lists.reading}</Loading>}
      {problem !== null && (
        <p role="alert" className={styles.error}>
          {problem}
        </p>
      )}
    </div>
  );
}

function fileOf(pasted: string, name: string): File {
  const csv = Papa.unparse(pastedAddresses(pasted).map((address) => [address]));
  return new File([csv], name, { type: 'text/csv' });
}

/** Addresses without a file. */
function PasteBox({ onPaste }: { onPaste: (file: File) => void }) {
  const t = useTexts(listPagesEn);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onPaste(fileOf(formText(event.currentTarget, 'addresses'), t.lists.pastedName));
  };
  return (
    <details className={css.paste}>
      <summary>{t.lists.paste}</summary>
      <form className={styles.form} onSubmit={submit}>
        <Field label={t.lists.pasteLabel}>
          {(props) => (
            <textarea
              {...props}
              name="addresses"
              rows={5}
              required
              spellCheck={false}
              placeholder="jane@example.com"
            />
          )}
        </Field>
        <div className={styles.actions}>
          <Button type="submit">{t.lists.pasteGo}</Button>
        </div>
      </form>
    </details>
  );
}
