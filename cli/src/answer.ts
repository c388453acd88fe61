/** The result of a command, for scripts and for people. */
export interface Answer {
  readonly json: unknown
  /** `width` is the number of columns of the terminal; undefined when the output is not a terminal. */
  readonly text: (width: number | undefined) => string
  /** Default 0. */
  readonly exitCode?: number
}
