/** The progress of loading an avatar. `ready` and `error` are final. */
export interface AvatarLoad {
  readonly status: 'idle' | 'downloading' | 'verifying' | 'parsing' | 'ready' | 'error'
  /** From 0 to 1, over all steps. */
  readonly progress: number
  readonly loaded_bytes: number
  readonly total_bytes: number
  /** The failure, with the status `error` only. */
  readonly error?: AvatarError
}

export type AvatarErrorCode =
  | 'download_failed'
  | 'verification_failed'
  | 'insecure_page'
  | 'invalid_model'
  | 'webgl_unavailable'
  | 'renderer_unavailable'

/** Why an avatar is not shown. It is reported, never thrown: the conversation continues without a face. */
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
