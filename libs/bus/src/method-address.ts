export interface MethodAddress {
  readonly service: string
  readonly method: string
  /** Of the contract. */
  readonly version: string
}
