import { useId, useState, type DragEvent } from 'react';
import { Icon } from '../../layout/icons';
import { useTexts } from '../../texts/texts';
import { Loading } from '../../ui/query-result';
import { styles } from '../../ui/ui';
import css from './lists.module.css';
import { PreviewForm } from './preview-form';
import { readTableFile, type Reading, type TableFile } from './table-file';

/** Takes a file, by the pointer or the keyboard, and shows what is in it. */
export function DropZone() {
  const t = useTexts();
  const id = useId();
  const [isOver, setIsOver] = useState(false);
  const [isReading, setIsReading] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [table, setTable] = useState<TableFile | null>(null);

  const read = async (file: File | undefined, reading?: Reading) => {
    if (file === undefined) return;
    setProblem(null);
    setIsReading(true);
    try {
      const found = await readTableFile(file, t.lists.columnNumber, reading);
      if (found === null) setProblem(t.lists.emptyFile);
      setTable(found);
    } catch {
      setProblem(t.lists.unreadable);
    }
    setIsReading(false);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void read(event.dataTransfer.files[0]);
  };
  if (table !== null)
    return (
      <PreviewForm
        table={table}
        onRead={(reading) => void read(table.file, reading)}
        onCancel={() => setTable(null)}
      />
    );
  return (
    <div
      className={css.drop}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Icon name="upload" size={30} />
      <p className={css.dropTitle}>{t.lists.drop}</p>
      <p className={styles.muted}>{t.lists.formats}</p>
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,.xlsx,text/csv"
        className={styles.visuallyHidden}
        onChange={(event) => {
          void read(event.target.files?.[0]);
          event.target.value = '';
        }}
      />
      <label htmlFor={id} className={`${styles.button} ${styles.primary}`}>
        {t.lists.choose}
      </label>
      {isReading && <Loading>{t.lists.reading}</Loading>}
      {problem !== null && (
        <p role="alert" className={styles.error}>
          {problem}
        </p>
      )}
    </div>
  );
}
