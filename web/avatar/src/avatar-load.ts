/** How far an avatar has come. After `ready` and `error` nothing more comes. */
export interface AvatarLoad {
  readonly status: 'idle' | 'downloading' | 'verifying' | 'parsing' | 'ready' | 'error'
  /** From 0 to 1 over all of it. */
  readonly progress: number
  readonly loaded_bytes: number
  readonly total_bytes: number
  /** With `error` only: what went wrong, for a developer. */
  readonly error?: AvatarError
}

export type AvatarErrorCode =
  | 'download_failed'
  | 'verification_failed'
  | 'insecure_page'
  | 'invalid_model'
  | 'webgl_unavailable'
  | 'renderer_unavailable'

/** Why an avatar is not shown. It is never thrown: a conversation goes on without a face. */
export class AvatarError extends Error {
  override readonly name = 'AvatarError'
  constructor(
    readonly code: AvatarErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}
