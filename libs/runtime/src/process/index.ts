/** Why a process cannot start. Each line is for the operator, and names a problem and its solution. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
  readonly lines: readonly string[]

  constructor(lines: readonly string[], options?: ErrorOptions) {
    super(lines.join('\n'), options)
    this.lines = lines
  }
}
