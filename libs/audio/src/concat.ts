/** Concatenates the samples of all parts in new memory. */
export const concatPcm = (parts: readonly Int16Array[]): Int16Array => copyInto(new Int16Array(lengthOf(parts)), parts)

/** Concatenates the bytes of all parts in new memory. */
export const concatBytes = (parts: readonly Uint8Array[]): Uint8Array =>
  copyInto(new Uint8Array(lengthOf(parts)), parts)

const lengthOf = (parts: readonly { readonly length: number }[]): number =>
  parts.reduce((sum, { length }) => sum + length, 0)

const copyInto = <Whole extends Int16Array | Uint8Array>(whole: Whole, parts: readonly Whole[]): Whole => {
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
