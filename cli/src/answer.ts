/** What a command found or did, for scripts and for people. */
export interface Answer {
  readonly json: unknown
  /** `width` is how many columns the terminal has; undefined when nobody looks at one. */
  readonly text: (width: number | undefined) => string
  /** Default 0. */
  readonly exitCode?: number
}
