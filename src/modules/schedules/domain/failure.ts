/** Why a run has failed, and what to do about it. */
export const FAILURES = {
  unauthorized:
    'The source answered 401 or 403. Check the token or the headers, and what they may read and change.',
  not_found: 'The source answered 404. Check the URL, and the ids of the lists.',
  http_status: 'The source answered with an error. Look into its log, and run the schedule again.',
  redirect: 'The source redirects in a circle, or to no URL. Enter the URL that it leads to.',
  address_not_allowed:
    'The URL, or a redirect from it, leads to a network or port that may not be requested. Use a source on the public Internet; the operator can allow networks.',
  dns: 'The name of the source does not exist, or cannot be resolved. Check the URL.',
  connection: 'The source refused or lost the connection. Check that it is running and can be reached.',
  tls: 'The certificate of the source is not valid for its name.',
  timeout: 'The source took longer than ten minutes, or one request longer than half a minute.',
  too_large: 'The source has more than 512 MB. Split it into several schedules.',
  malformed_list:
    'The source is no CSV or NDJSON with a column of addresses, is compressed or incomplete, or is no listmonk. Check that the URL leads to it and not to a page.',
  empty: 'The source has no row with an address. Check that the export is not empty.',
  bulk_too_large: 'More rows must be verified than a list of the team’s tier may have. Split the source.',
  daily_quota_exceeded: 'The daily quota is too small for the rows that must be verified. Use a higher tier.',
  upgrade_required: 'The tier of the team does not include schedules.',
  job_canceled: 'The bulk job of the run was canceled or deleted.',
  job_failed: 'The bulk job of the run has failed. Run the schedule again.',
  secret_unreadable: 'The headers or the token cannot be decrypted any more. Enter the source again.',
  interrupted:
    'The run was interrupted repeatedly. Run the schedule again, and tell the operator if it fails again.',
} as const;

export type FailureCode = keyof typeof FAILURES;
export const FAILURE_CODES = Object.keys(FAILURES) as FailureCode[];

/** A run cannot go on. */
export class RunFailure extends Error {
  /** @param isTemporary another attempt may succeed. */
  constructor(
    readonly code: FailureCode,
    readonly isTemporary = false,
  ) {
    super(`the run failed: ${code}`);
  }
}
