import type { AvatarLoad, AvatarView } from '@parlance/avatar'
import type { ParlanceClient, Session } from '@parlance/client'
import { useEffect, useState } from 'react'

const noAvatar: AvatarLoad = { status: 'idle', progress: 0, loaded_bytes: 0, total_bytes: 0 }

/** Shows the session's avatar in a container. What draws it is loaded only where there are both. */
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
    // Bundlers make a file of its own of it, which is loaded only now.
    import('@parlance/avatar').then(
      ({ createAvatar }) => {
        if (closed) return
        view = createAvatar(container, {
          avatar,
          apiOrigin: client.apiOrigin,
          speech: {
            positionMs: () => client.heardSpeech()?.positionMs,
            visemes: () => client.heardSpeech()?.visemes ?? [],
          },
          onLoad: setAvatarLoad,
        })
      },
      // The conversation goes on without a face.
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
