import { AvatarError, type AvatarLoad } from './avatar-load.js'
import type { AvatarRecord } from './avatar-record.js'
import { download } from './loading/download.js'
import { verify } from './loading/verify.js'
import type { SpeechClock } from './speech-clock.js'

export interface AvatarOptions {
  readonly avatar: AvatarRecord
  /** Where the API is: the record's addresses are often paths on it. */
  readonly apiOrigin: string
  readonly speech: SpeechClock
  /** Told of each step; what it throws is not heard. */
  readonly onLoad?: ((load: AvatarLoad) => void) | undefined
  /** `auto`, the default, begins well and goes down to `low` on a device that cannot keep up. */
  readonly quality?: 'auto' | 'low' | undefined
  /** After each frame drawn: how much of each morph target it shows, from 0 to 1. */
  readonly onFrame?: ((morphs: ReadonlyMap<string, number>) => void) | undefined
}

export interface AvatarView {
  /** Ends it at once, also while it loads. The container is left empty. */
  close(): void
}

/** Shares of the whole progress: the download is nearly all of it. */
const downloaded = 0.9
const verified = 0.93

/**
 * Shows an avatar in a container, which should have a size. The renderer itself, three.js and all, is loaded only now,
 * beside the model. Whatever goes wrong is told to `onLoad`; nothing is ever thrown, and nothing is left in the page.
 */
export const createAvatar = (container: HTMLElement, options: AvatarOptions): AvatarView => {
  const { avatar, apiOrigin, speech, quality = 'auto' } = options
  const { size_bytes, sha256 } = avatar.asset
  const abort = new AbortController()
  let head: { close(): void } | undefined

  const tell = (status: AvatarLoad['status'], progress: number, loadedBytes: number, error?: AvatarError) => {
    if (abort.signal.aborted) return
    try {
      const load = { status, progress, loaded_bytes: loadedBytes, total_bytes: size_bytes }
      options.onLoad?.(error === undefined ? load : { ...load, error })
    } catch (thrown) {
      // An avatar does not fail for it, but whoever wrote that listener should hear of it.
      reportError(thrown)
    }
  }

  const load = async () => {
    tell('downloading', 0, 0)
    const renderer = loadRenderer()
    const bytes = await download(avatar.asset, apiOrigin, {
      signal: abort.signal,
      onProgress: (loaded) => tell('downloading', (downloaded * loaded) / size_bytes, loaded),
    })
    tell('verifying', downloaded, bytes.length)
    await verify(bytes, sha256)
    tell('parsing', verified, bytes.length)
    const { openTalkingHead } = await renderer
    const opened = await openTalkingHead(container, bytes, { avatar, speech, quality, onFrame: options.onFrame })
    if (abort.signal.aborted) opened.close()
    else head = opened
    tell('ready', 1, bytes.length)
  }

  tell('idle', 0, 0)
  load().catch((thrown: unknown) => {
    const error =
      thrown instanceof AvatarError ? thrown : new AvatarError('invalid_model', String(thrown), { cause: thrown })
    tell('error', 0, 0, error)
  })

  return {
    close() {
      abort.abort()
      head?.close()
      head = undefined
    },
  }
}

const loadRenderer = () => {
  const loading = import('./talking-head.js').catch((cause: unknown) => {
    throw new AvatarError('renderer_unavailable', 'The program that draws avatars could not be loaded.', { cause })
  })
  // A download that fails first must not leave this one's failure unheard.
  loading.catch(() => {})
  return loading
}
