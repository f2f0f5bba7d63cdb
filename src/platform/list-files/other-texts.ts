const ASK_CSV = 'Send a CSV with the addresses in one column';

/** Texts that are no CSV, by how they begin: what each is, and what to send instead. */
const OTHER_TEXTS: readonly { begins: RegExp; sentence: string }[] = [
  {
    begins: /^BEGIN:VCARD\b/i,
    sentence: `This is a vCard file of an address book. Export the contacts as CSV, and send that.`,
  },
  { begins: /^BEGIN:VCALENDAR\b/i, sentence: `This is a calendar (iCalendar). ${ASK_CSV}.` },
  {
    begins: /^(?:version: {0,9}\d\s{1,20})?dn::? {0,9}\S/i,
    sentence: `This is an LDIF file of a directory. Export the attribute mail as CSV, and send that.`,
  },
  {
    begins: /^<\?xml\b[^<]{0,200}<\?mso-application progid="Excel/i,
    sentence:
      'This is an Excel workbook as XML. Open it in the spreadsheet program, and save it as "CSV UTF-8".',
  },
  {
    begins:
      /^(?:<!doctype html\b|<(?:html|head|body|table|meta)\b|<!--|<(?:div|p|pre|style|script|title)\b[^<>]{0,400}>[^<]{0,400}<)/i,
    sentence:
      'This is a web page (HTML), which some programs save as .xls or .csv. Open it in a spreadsheet program, and save it as "CSV UTF-8".',
  },
  {
    begins: /^<(?:\?xml\b|[a-z][\w:.-]{0,60}(?:\s[^<>]{0,400})?>\s{0,99}<)/i,
    sentence: `This is XML. ${ASK_CSV}.`,
  },
  {
    begins: /^\{\\rtf/i,
    sentence: `This is a document in RTF. Save the addresses as plain text, one a line, and send that as CSV.`,
  },
  {
    begins: /^(?:\{\s{0,99}"[^"\n]{1,100}"\s{0,99}:|\[\s{0,99}(?:\{|"[^"\n]{0,400}"\s{0,99}[,\]]))/,
    sentence:
      'This is JSON. Send it as application/json: {"emails": ["jane@example.com"]}; or one value a line as application/x-ndjson.',
  },
  {
    begins: /^From \S{1,320} {1,9}(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/,
    sentence: `This is a mailbox (mbox), and no list. ${ASK_CSV}.`,
  },
  {
    begins:
      /^(?:Return-Path|Received|Delivered-To|X-[\w-]{1,60}|From|To|Subject|Date|Message-ID|MIME-Version): [^\n]{0,998}\n(?:[ \t][^\n]{0,998}\n){0,30}[A-Z][\w-]{1,60}: \S/i,
    sentence: `This is a mail. ${ASK_CSV}; send reports of bounces to /v1/outcomes.`,
  },
  {
    begins:
      /^(?:INSERT INTO|CREATE (?:TABLE|DATABASE|TEMPORARY)|DROP TABLE|LOCK TABLES|REPLACE INTO|SELECT\s|SET \w{1,60}\s{0,9}=|COPY \S{1,200} \()/i,
    sentence: 'This is SQL. Export the table as CSV, and send that.',
  },
  {
    begins: /^(?:%YAML\b|(?:---[ \t]{0,9}\n)?(?:- [\w -]{1,60}: |[\w-]{1,60}:[ \t]{0,9}\n {0,20}- ))/,
    sentence: `This is YAML. ${ASK_CSV}.`,
  },
  {
    begins: /^\|[^\n]{1,2000}\|[ \t]{0,9}\n\|(?:[ \t]{0,99}:?-{1,200}:?[ \t]{0,200}\|){1,100}/,
    sentence: `This is a table in Markdown. ${ASK_CSV}: without the line of hyphens below the names.`,
  },
];
/** Of SQL and LDIF. */
const COMMENT = /^(?:--|#|\/\*)[^\n]{0,1000}\n/;
const MAX_COMMENTS = 40;
const MAX_START = 8_000;

/** @param start of a text. @returns a sentence that says what it is, and what to send; null: it may be a CSV. */
export function otherTextOf(start: string): string | null {
  const text = start.slice(0, MAX_START).replace(/\r\n?/g, '\n').trimStart();
  const plain = withoutComments(text);
  const found = OTHER_TEXTS.find(({ begins }) => begins.test(text) || begins.test(plain));
  return found?.sentence ?? null;
}

function withoutComments(text: string): string {
  let rest = text;
  for (let count = 0; count < MAX_COMMENTS && COMMENT.test(rest); count++)
    rest = rest.slice(rest.indexOf('\n') + 1).trimStart();
  return rest;
}
