'use client'

import type { ReactNode } from 'react'
import { type AvatarLoad, type LoadRenderer, useRenderedAvatar } from './avatar-renderer.js'
import { useParlanceClient, useSession } from './client-hooks.js'
import { Orb } from './orb.js'
import { type PartProps, useLabels } from './provider.js'

/** Bundlers put it into a separate file, which is loaded with the first avatar. */
const loadRenderer: LoadRenderer = () => import('@parlance/avatar')

export interface UseAvatar {
  /** The `ref` of an element with a size, in which the Agent's avatar is shown. */
  readonly avatarRef: (container: HTMLElement | null) => void
  readonly avatarLoad: AvatarLoad
}

/** The avatar of the Agent in the `ParlanceProvider` around the component. */
export const useAvatar = (): UseAvatar => useRenderedAvatar(useParlanceClient(), useSession(), loadRenderer)

export interface AvatarViewProps extends PartProps {
  /** In its place while there is no avatar: before the session, or with an Agent that has none. Default: an `Orb`. */
  readonly fallback?: ReactNode
}

/** The avatar of the Agent, which speaks. Its picture while it is loaded, or where it cannot be drawn. */
export const AvatarView = ({ fallback = <Orb />, className = '', style }: AvatarViewProps) => {
  const { apiOrigin } = useParlanceClient()
  const { avatarRef, avatarLoad } = useAvatar()
  const avatar = useSession()?.avatar
  const labels = useLabels()
  if (avatar == null) return fallback
  const { status, progress } = avatarLoad
  return (
    <div className={`parlance parlance-avatar ${className}`} style={style} data-load={status}>
      {status !== 'ready' && <img src={new URL(avatar.thumbnail_url, apiOrigin).href} alt="" />}
      <div ref={avatarRef} role="img" aria-label={labels.avatar} />
      {status !== 'ready' && status !== 'error' && <progress aria-label={labels.loadingAvatar} value={progress} />}
    </div>
  )
}
