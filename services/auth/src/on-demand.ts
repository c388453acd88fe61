/** Opens something at the first call. A failure of `open` is not cached: a later call opens again. */
export const onDemand = <Value>(open: () => Promise<Value>): (() => Promise<Value>) => {
  let opening: Promise<Value> | undefined
  return () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
}
