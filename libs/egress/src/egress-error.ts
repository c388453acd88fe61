type EgressProblem =
  /** The address is not allowed, or the server responds with a redirect. */
  | 'refused'
  /** No connection could be opened, so nothing was sent. */
  | 'unreachable'
  /** The server did not answer in time. */
  | 'timeout'
  /** The response exceeds the limit. */
  | 'too_long'
  /** The connection was lost, or the response is not HTTP. */
  | 'broken'

/** Its message describes the problem and contains neither the address, which may contain secrets, nor the response. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly problem: EgressProblem

  constructor(problem: EgressProblem, message: string, options?: ErrorOptions) {
    super(message, options)
    this.problem = problem
  }
}
