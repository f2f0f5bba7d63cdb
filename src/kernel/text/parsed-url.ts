/** null: the text is no URL. In Node 20 `URL.canParse` says so of a host such as `bücher.example` once its caller is hot. */
export function parsedUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
