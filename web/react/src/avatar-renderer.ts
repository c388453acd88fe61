import type { Avatar, ParlanceClient, PlayingSpeech, Session } from '@parlance/client'
import { useEffect, useState } from 'react'
import { useLatest } from './client-hooks.js'

/** The progress of loading an avatar, as `@parlance/avatar` reports it. */
export interface AvatarLoad {
  readonly status: 'idle' | 'downloading' | 'verifying' | 'parsing' | 'ready' | 'error'
  /** From 0 to 1, over all steps. */
  readonly progress: number
  readonly loaded_bytes: number
  readonly total_bytes: number
  /** The failure, with the status `error` only. */
  readonly error?: Error
}

/** `createAvatar` of `@parlance/avatar`. It is described here, because that package may not be installed. */
export interface AvatarRenderer {
  createAvatar(
    container: HTMLElement,
    options: {
      readonly avatar: Avatar
      readonly apiOrigin: string
      readonly speech: () => PlayingSpeech | undefined
      readonly onLoad: (load: AvatarLoad) => void
    },
  ): { close(): void }
}

export type LoadRenderer = () => Promise<AvatarRenderer>

const noAvatar: AvatarLoad = { status: 'idle', progress: 0, loaded_bytes: 0, total_bytes: 0 }

/** Shows the session's avatar in a container. The renderer is loaded when there are both. */
export const useRenderedAvatar = (
  client: ParlanceClient,
  session: Session | null,
  load: LoadRenderer | undefined,
): { avatarRef: (container: HTMLElement | null) => void; avatarLoad: AvatarLoad } => {
  const [container, avatarRef] = useState<HTMLElement | null>(null)
  const [avatarLoad, setAvatarLoad] = useState(noAvatar)
  const avatar = session?.avatar ?? null
  const latest = useLatest(load)
  const isShown = load !== undefined

  useEffect(() => {
    if (!isShown || container === null || avatar === null) return
    let closed = false
    let view: { close(): void } | undefined
    latest.current!().then(
      ({ createAvatar }) => {
        if (closed) return
        view = createAvatar(container, {
          avatar,
          apiOrigin: client.apiOrigin,
          speech: client.playingSpeech,
          onLoad: setAvatarLoad,
        })
      },
      // The conversation continues without an avatar.
      () => !closed && setAvatarLoad({ ...noAvatar, status: 'error' }),
    )
    return () => {
      closed = true
      view?.close()
      setAvatarLoad(noAvatar)
    }
  }, [client, container, avatar, isShown, latest])

  return { avatarRef, avatarLoad }
}
