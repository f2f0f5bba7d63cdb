/** A table written as running text, its entries separated by white space. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/);
}
