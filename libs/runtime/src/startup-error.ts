/** Why a process cannot start, told to the person who started it: each line says what is wrong and what to do. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
  readonly lines: readonly string[]

  constructor(lines: readonly string[], options?: ErrorOptions) {
    super(lines.join('\n'), options)
    this.lines = lines
  }
}
