/**
 * Copies a text. A page that is not encrypted has no clipboard API: there the element with the text is selected and
 * copied with the older command.
 *
 * @returns false: the text is selected, and the person has to copy it.
 */
export async function copyText(text: string, place: HTMLElement): Promise<boolean> {
  // Not declared as optional, but absent on pages that are not encrypted.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard !== undefined) {
    const isCopied = await clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (isCopied) return true;
  }
  getSelection()?.selectAllChildren(place);
  return document.execCommand('copy');
}
