export type ArchiveFault =
  | 'not_an_archive'
  | 'newer_format'
  | 'newer_schema'
  | 'cut_off'
  | 'damaged'
  | 'not_encrypted'
  | 'identity_required'
  | 'wrong_key';

/** An archive that cannot be restored. The message is a sentence for the operator. */
export class ArchiveRejected extends Error {
  constructor(
    readonly fault: ArchiveFault,
    message: string,
  ) {
    super(message);
  }
}

export function notAnArchive(): ArchiveRejected {
  return new ArchiveRejected(
    'not_an_archive',
    'This is not an archive of `rcpt backup`, or its start is damaged.',
  );
}

export function damaged(where: string): ArchiveRejected {
  return new ArchiveRejected('damaged', `The archive is damaged: ${where}. Use another copy of it.`);
}

export function cutOff(): ArchiveRejected {
  return new ArchiveRejected(
    'cut_off',
    'The archive is cut off, or its end is damaged: the backup or a copy of it was interrupted. Use another one.',
  );
}
