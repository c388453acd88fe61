/** A server that cannot be reached when a store is opened. It may be starting, so that a later attempt may succeed. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}
