/** Opens something when it is first asked for. What `open` rejects with is not kept: a later call opens again. */
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
