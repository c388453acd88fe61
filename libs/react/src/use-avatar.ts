import type { ParlanceClient, Session } from '@parlance/client'
import { useEffect, useState } from 'react'
import { type AvatarLoad, importAvatar, noAvatar } from './avatar-load.js'

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
    let view: { close(): void } | undefined
    importAvatar().then(
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
      (error: unknown) => !closed && setAvatarLoad({ ...noAvatar, status: 'error', error: error as Error }),
    )
    return () => {
      closed = true
      view?.close()
      setAvatarLoad(noAvatar)
    }
  }, [client, container, avatar])

  return { avatarRef, avatarLoad }
}
