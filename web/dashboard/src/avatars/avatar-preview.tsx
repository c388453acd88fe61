import { Box, Progress, Stack, Text } from '@mantine/core'
import { type AvatarLoad, createAvatar } from '@parlance/avatar'
import { useEffect, useState } from 'react'
import { Dialog } from '../shared/dialog.js'
import { formatBytes } from '../shared/quantities.js'
import classes from './avatar-preview.module.css'
import type { Avatar } from './avatar-queries.js'

/** The avatar in a container, as in a conversation in which nothing is said. */
const useShownAvatar = (avatar: Avatar) => {
  const [container, ref] = useState<HTMLElement | null>(null)
  const [load, setLoad] = useState<Pick<AvatarLoad, 'status' | 'progress'>>({ status: 'idle', progress: 0 })
  useEffect(() => {
    if (container === null) return
    const view = createAvatar(container, {
      avatar,
      apiOrigin: location.origin,
      speech: () => undefined,
      onLoad: setLoad,
    })
    return () => view.close()
  }, [container, avatar])
  return { ref, load }
}

interface AvatarPreviewProps {
  readonly avatar: Avatar
  onClose(): void
}

/** Shows an avatar as users see it. Its model and what draws it are loaded when it is opened. */
export const AvatarPreview = ({ avatar, onClose }: AvatarPreviewProps) => {
  const { ref, load } = useShownAvatar(avatar)
  const { display_name, thumbnail_url, asset, license } = avatar
  const isFinal = load.status === 'ready' || load.status === 'error'
  return (
    <Dialog onClose={onClose} title={<bdi>{display_name}</bdi>}>
      <Stack gap="sm">
        <div className={classes.stage}>
          {load.status !== 'ready' && <img src={thumbnail_url} alt="" className={classes.picture} />}
          <Box ref={ref} role="img" aria-label={display_name} data-status={load.status} className={classes.face} />
        </div>
        {!isFinal && <Progress value={load.progress * 100} size="sm" aria-label="Loading the avatar" />}
        {load.status === 'error' && (
          <Text role="status">The avatar cannot be drawn in this browser. The picture shows what it looks like.</Text>
        )}
        <Text c="dimmed">
          {formatBytes(asset.size_bytes)} · {license}
        </Text>
      </Stack>
    </Dialog>
  )
}
