import { Loader, Text } from '@mantine/core'
import classes from './talk-panel.module.css'
import type { Talk } from './use-talk.js'

/** The face of the Agent, if it has one. What draws it is loaded with the first conversation that has one. */
export const AvatarStage = ({ talk }: { readonly talk: Pick<Talk, 'session' | 'avatarRef' | 'avatarLoad'> }) => {
  const { session, avatarRef, avatarLoad } = talk
  if (session === null || session.avatar === null) return null
  const { status } = avatarLoad
  return (
    <div className={classes.avatar}>
      <div ref={avatarRef} id="avatar" role="img" aria-label="The Agent" className={classes.face} />
      {status === 'error' && (
        <Text size="xs" c="dimmed" role="status">
          The avatar cannot be shown here. The conversation goes on.
        </Text>
      )}
      {status !== 'error' && status !== 'ready' && (
        <Loader size="sm" className={classes.avatarLoader} aria-label="Loading the avatar" />
      )}
    </div>
  )
}
