import { Box, Modal, Progress, Stack, Text } from '@mantine/core'
import { type AvatarLoad, createAvatar, type SpeechClock } from '@parlance/avatar'
import { useEffect, useState } from 'react'
import { formatBytes } from '../shared/quantities.js'
import { useReturnedFocus } from '../shared/use-returned-focus.js'
import classes from './avatar-preview.module.css'
import type { Avatar } from './avatar-queries.js'

const silence: SpeechClock = { positionMs: () => undefined, visemes: () => [] }

/** The avatar in a container, as in a conversation in which nothing is said. */
const useShownAvatar = (avatar: Avatar) => {
  const [container, ref] = useState<HTMLElement | null>(null)
  const [load, setLoad] = useState<Pick<AvatarLoad, 'status' | 'progress'>>({ status: 'idle', progress: 0 })
  useEffect(() => {
    if (container === null) return
    const view = createAvatar(container, { avatar, apiOrigin: location.origin, speech: silence, onLoad: setLoad })
    return () => view.close()
  }, [container, avatar])
  return { ref, load }
}

export interface AvatarPreviewProps {
  readonly avatar: Avatar
  onClose(): void
}

/** Shows an avatar as users see it. Its model and what draws it are loaded when it is opened. */
export const AvatarPreview = ({ avatar, onClose }: AvatarPreviewProps) => {
  useReturnedFocus(true)
  const { ref, load } = useShownAvatar(avatar)
  const { display_name, thumbnail_url, asset, license } = avatar
  const isFinal = load.status === 'ready' || load.status === 'error'
  return (
    <Modal opened onClose={onClose} title={<bdi>{display_name}</bdi>}>
      <Stack gap="sm">
        <div className={classes.stage}>
          {load.status !== 'ready' && <img src={thumbnail_url} alt="" className={classes.picture} />}
          <Box ref={ref} role="img" aria-label={display_name} data-status={load.status} className={classes.face} />
        </div>
        {!isFinal && <Progress value={load.progress * 100} size="sm" aria-label="Loading the avatar" />}
        {load.status === 'error' && (
          <Text size="sm" role="status">
            The avatar cannot be drawn in this browser. The picture shows what it looks like.
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {formatBytes(asset.size_bytes)} · {license}
        </Text>
      </Stack>
    </Modal>
  )
}
