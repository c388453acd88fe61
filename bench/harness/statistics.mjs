export const sum = (values) => values.reduce((total, value) => total + value, 0)

export const mean = (values) => sum(values) / values.length

/** `share` from 0 to 1; the nearest rank, so the result is a measured value. */
export const percentile = (values, share) => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))]
}

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** Of rows with the same numeric fields, one row with each field's median. */
export const medianRow = (rows) =>
  Object.fromEntries(Object.keys(rows[0]).map((field) => [field, median(rows.map((row) => row[field]))]))
