/** Why a run has failed, and what to do about it. */
export const FAILURES = {
  unauthorized:
    'The source answered 401 or 403. Check the token or the headers, and what they may read and change.',
  not_found: 'The source answered 404. Check the URL.',
  http_status: 'The source answered with an error. Look into its log, and run the schedule again.',
  redirect: 'The source redirects in a circle, or to no URL. Enter the URL that it leads to.',
  address_not_allowed:
    'The URL, or a redirect from it, leads to a network or port that may not be requested. Use a source on the public Internet; the operator can allow networks.',
  dns: 'The name of the source does not exist, or cannot be resolved. Check the URL.',
  connection: 'The source refused or lost the connection. Check that it is running and can be reached.',
  tls: 'The certificate of the source is not valid for its name.',
  timeout: 'The source sent no row for five minutes, or took longer than half a minute for a request.',
  too_little_in_time:
    'The source sent too little within ten seconds to show its rows. A run waits longer: if the source is slow and otherwise right, add the schedule anyway.',
  too_slow:
    'The source sent less than a kilobyte a second for a minute. Look into its load, and run the schedule again.',
  too_large:
    'The source has more than may be read: 512 MB, or ten million subscribers. Split it into several schedules.',
  list_not_found: 'listmonk has no list with the id {detail}. Change the ids of the lists.',
  disabled: 'The schedule was disabled while its source was read.',
  not_a_list:
    'The answer is {detail}, not CSV or NDJSON. Check that the URL leads to the file, and not to a page.',
  malformed_list:
    'The file is no CSV or NDJSON with a column of addresses, or is compressed or incomplete. Check its URL, and the name of its column.',
  not_listmonk:
    'The answer is not one of listmonk, or has its subscribers in no order. Check that the URL leads to listmonk itself, and not to a page or a proxy before it.',
  empty: 'The source has no row with an address. Check that the export is not empty.',
  bulk_too_large: 'More rows must be verified than a list of the team’s tier may have. Split the source.',
  daily_quota_exceeded: 'The daily quota is too small for the rows that must be verified. Use a higher tier.',
  upgrade_required: 'The tier of the team does not include schedules.',
  job_canceled: 'The bulk job of the run was canceled or deleted.',
  job_failed: 'The bulk job of the run has failed. Run the schedule again.',
  secret_unreadable:
    'The headers or the token cannot be decrypted any more, or were entered for another host. Enter the source again.',
  interrupted:
    'The run was interrupted repeatedly. Run the schedule again, and tell the operator if it fails again.',
} as const;

export type FailureCode = keyof typeof FAILURES;
export const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[];

/** Why a run has failed. */
export interface Failure {
  code: FailureCode;
  /** Of `not_a_list` the media type that came, of `list_not_found` the id of the list; otherwise null. */
  detail: string | null;
}

/** What to do about it. */
export function sentenceOf({ code, detail }: Failure): string {
  return FAILURES[code].replace('{detail}', detail ?? '');
}

/** A run cannot go on. */
export class RunFailure extends Error implements Failure {
  /** @param isTemporary another attempt may succeed. */
  constructor(
    readonly code: FailureCode,
    readonly isTemporary = false,
    readonly detail: string | null = null,
  ) {
    super(`the run failed: ${code}`);
  }

  static of({ code, detail }: Failure): RunFailure {
    return new RunFailure(code, false, detail);
  }
}
