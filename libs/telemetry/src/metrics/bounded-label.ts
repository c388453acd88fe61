/**
 * Limits the values of a label that customers choose: each value is a time series for as long as the process runs. Returns the
 * value, or `other` for values beyond the first `maxValues`.
 */
export const createBoundedLabel = (maxValues: number): ((value: string) => string) => {
  const known = new Set<string>()
  return (value) => {
    if (known.has(value)) return value
    if (known.size >= maxValues) return 'other'
    known.add(value)
    return value
  }
}
