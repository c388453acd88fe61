const quote = 0x22
const backslash = 0x5c

/**
 * Whether arrays and objects in this JSON are nested deeper than `maxDepth`. One pass over the bytes, up to the first value
 * that is too deep. The result for bytes that are not JSON does not matter, since the parser refuses them.
 */
export const isNestedDeeper = (json: Uint8Array, maxDepth: number): boolean => {
  let depth = 0
  let inString = false
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (inString) {
      if (byte === backslash) at += 1
      else if (byte === quote) inString = false
      continue
    }
    if (byte === quote) inString = true
    // `[` and `{` differ in one bit, and so do `]` and `}`.
    else if (byte === 0x5b || byte === 0x7b) {
      depth += 1
      if (depth > maxDepth) return true
    } else if (byte === 0x5d || byte === 0x7d) depth -= 1
  }
  return false
}
