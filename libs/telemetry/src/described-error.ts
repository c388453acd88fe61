/** The properties of an error that are logged. Others are left out, because they may contain requests, rows and settings. */
interface DescribedError {
  type: string
  message: string
  code?: string
  /** The stack; only of the innermost error, which is the origin. */
  stack?: string
  cause?: DescribedError
}

const maxDepth = 4
const maxMessageCharacters = 1000

/** Parsers and data errors of Postgres quote the invalid input, which may be a user's. */
const quotesItsInput = (error: Error, code: string | undefined) =>
  error instanceof SyntaxError || (code !== undefined && /^2[23][0-9A-Z]{3}$/.test(code))

const withoutQuotations = (message: string) => message.replace(/(["'`]).*\1|\(.*\)/gs, '…')

const codeOf = (error: Error): string | undefined => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[\w.-]{1,64}$/.test(code) ? code : undefined
}

const causeOf = (error: Error): unknown =>
  error.cause ?? (error instanceof AggregateError ? (error.errors[0] as unknown) : undefined)

/** Only the frames: the text above them repeats the message, which may be long. */
const framesOf = (error: Error): string =>
  (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => line.trim())
    .join('\n')

export const describeError = (error: unknown, depth = 1): DescribedError => {
  if (!(error instanceof Error)) return { type: typeof error, message: 'a value that is not an error was thrown' }
  const code = codeOf(error)
  const message = quotesItsInput(error, code) ? withoutQuotations(error.message) : error.message
  const cause = causeOf(error)
  return {
    type: error.name,
    message: message.slice(0, maxMessageCharacters),
    ...(code === undefined ? {} : { code }),
    ...(cause === undefined || depth === maxDepth
      ? { stack: framesOf(error) }
      : { cause: describeError(cause, depth + 1) }),
  }
}
