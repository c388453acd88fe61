import type { AvatarLoad, AvatarView } from '@parlance/avatar'
import type { ParlanceClient, Session } from '@parlance/client'
import { useEffect, useState } from 'react'

const noAvatar: AvatarLoad = { status: 'idle', progress: 0, loaded_bytes: 0, total_bytes: 0 }

/** Shows the session's avatar in a container. The renderer is loaded when there are both. */
export const useAvatar = (
  client: ParlanceClient,
  session: Session | null,
): { avatarRef: (container: HTMLElement | null) => void; avatarLoad: AvatarLoad } => {
  const [container, avatarRef] = useState<HTMLElement | null>(null)
  const [avatarLoad, setAvatarLoad] = useState(noAvatar)
  const avatar = session?.avatar ?? null

  useEffect(() => {
    if (container === null || avatar === null) return
    let closed = false
    let view: AvatarView | undefined
    // Bundlers put it into a separate file, which is loaded here.
    import('@parlance/avatar').then(
      ({ createAvatar }) => {
        if (closed) return
        view = createAvatar(container, {
          avatar,
          apiOrigin: client.apiOrigin,
          speech: {
            positionMs: () => client.playingSpeech()?.positionMs,
            visemes: () => client.playingSpeech()?.visemes ?? [],
          },
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
  }, [client, container, avatar])

  return { avatarRef, avatarLoad }
}
