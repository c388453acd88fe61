export type InstallFailure =
  | 'gone'
  | 'refused'
  | 'unreachable'
  | 'disk_full'
  | 'not_writable'
  | 'wrong_content'
  | 'bad_archive'
  | 'not_enough_memory'
  | 'unusable'
  | 'exists'
  | 'not_installed'
  | 'license_not_accepted'

/** Why a model could not be installed, imported, updated or removed. The message is one line. */
export class InstallError extends Error {
  override readonly name = 'InstallError'

  /** The complete explanation, when one line is not enough. */
  readonly lines: readonly string[]

  constructor(
    readonly failure: InstallFailure,
    message: string,
    { lines = [message], ...options }: ErrorOptions & { lines?: readonly string[] } = {},
  ) {
    super(message, options)
    this.lines = lines
  }
}

const isDiskFull = (code: string | undefined) => code === 'ENOSPC' || code === 'EDQUOT'

/** The error of a write to the disk, explained. */
export const writeFailure = (error: unknown, path: string): InstallError => {
  if (error instanceof InstallError) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (isDiskFull(code)) {
    const advice = 'Free some space and run the same command again.'
    return new InstallError('disk_full', `The disk is full: ${path} could not be written. ${advice}`, { cause: error })
  }
  return new InstallError('not_writable', `${path} could not be written (${code ?? message}).`, { cause: error })
}
