/** A value that is reported when it changes. */
export interface Reported<Value> {
  get(): Value
  set(next: Value): void
}

export const createReported = <Value>(initial: Value, report: (value: Value) => void): Reported<Value> => {
  let value = initial
  return {
    get: () => value,
    set(next) {
      if (value === next) return
      value = next
      report(next)
    },
  }
}
