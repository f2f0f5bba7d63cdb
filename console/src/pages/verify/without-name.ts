/** As a mail program copies it: `Jane <jane@example.com>`. Most addresses need no code for it. */
export async function withoutName(written: string): Promise<string> {
  if (!/[\s<:;,(]/.test(written.trim())) return written;
  try {
    const { addressInCell } = await import('../../../../src/kernel/text/addresses-in-text');
    return addressInCell(written).address;
  } catch {
    return written;
  }
}
