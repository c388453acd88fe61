const numbersOf = (version: string): number[] => version.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0)

/** Whether a version such as `2.10.4` is lower than another. */
export const isOlder = (version: string, than: string): boolean => {
  const [own, other] = [numbersOf(version), numbersOf(than)]
  const different = other.findIndex((part, index) => part !== (own[index] ?? 0))
  return different >= 0 && (own[different] ?? 0) < other[different]!
}
