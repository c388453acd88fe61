import { AvatarError, type AvatarLoad } from './avatar-load.js'
import type { AvatarRecord } from './avatar-record.js'
import { download, verify } from './download.js'
import type { SpeechClock } from './speech-clock.js'

export interface AvatarOptions {
  readonly avatar: AvatarRecord
  /** The origin of the API, to which the paths in the record are relative. */
  readonly apiOrigin: string
  readonly speech: SpeechClock
  /** Called for each step. An error that it throws does not affect the avatar. */
  readonly onLoad?: ((load: AvatarLoad) => void) | undefined
  /** `auto` (default) begins with high quality and switches to `low` on a slow device. */
  readonly quality?: 'auto' | 'low' | undefined
  /** Called after each frame with the weight of each morph target, from 0 to 1. */
  readonly onFrame?: ((morphs: ReadonlyMap<string, number>) => void) | undefined
}

/** An avatar on the page. */
export interface AvatarView {
  /** Removes the avatar at once, even while it loads. The container is empty afterwards. */
  close(): void
}

/** The progress after a step. The download takes most of the time. */
const downloaded = 0.9
const verified = 0.93

/**
 * Shows an avatar in a container, which should have a size. The renderer (with three.js) is loaded here, together with the
 * model. Failures are reported to `onLoad` and never thrown; they leave the container empty.
 */
export const createAvatar = (container: HTMLElement, options: AvatarOptions): AvatarView => {
  const { avatar, apiOrigin, speech, quality = 'auto' } = options
  const { size_bytes, sha256 } = avatar.asset
  const abort = new AbortController()
  let head: { close(): void } | undefined

  const report = (status: AvatarLoad['status'], progress: number, loadedBytes: number, error?: AvatarError) => {
    if (abort.signal.aborted) return
    try {
      const load = { status, progress, loaded_bytes: loadedBytes, total_bytes: size_bytes }
      options.onLoad?.(error === undefined ? load : { ...load, error })
    } catch (thrown) {
      // The error of a listener does not fail the avatar; it becomes an uncaught error of the page.
      reportError(thrown)
    }
  }

  const load = async () => {
    report('downloading', 0, 0)
    const renderer = loadRenderer()
    const bytes = await download(avatar.asset, apiOrigin, {
      signal: abort.signal,
      onProgress: (loaded) => report('downloading', (downloaded * loaded) / size_bytes, loaded),
    })
    report('verifying', downloaded, bytes.length)
    await verify(bytes, sha256)
    report('parsing', verified, bytes.length)
    const { openTalkingHead } = await renderer
    const opened = await openTalkingHead(container, bytes, { avatar, speech, quality, onFrame: options.onFrame })
    if (abort.signal.aborted) opened.close()
    else head = opened
    report('ready', 1, bytes.length)
  }

  report('idle', 0, 0)
  load().catch((thrown: unknown) => {
    const error =
      thrown instanceof AvatarError ? thrown : new AvatarError('invalid_model', String(thrown), { cause: thrown })
    report('error', 0, 0, error)
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
    throw new AvatarError('renderer_unavailable', 'The renderer could not be loaded.', { cause })
  })
  // If the download fails first, this promise is never awaited.
  loading.catch(() => {})
  return loading
}
