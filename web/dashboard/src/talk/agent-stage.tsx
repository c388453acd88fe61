import { Loader, Text } from '@mantine/core'
import { Orb } from '@parlance/react'
import type { Api } from '../api/api.js'
import { useAvatars } from '../avatars/avatar-queries.js'
import classes from './agent-stage.module.css'
import type { Talk } from './use-talk.js'

export interface AgentStageProps {
  readonly talk: Talk
  readonly api: Api
  /** The avatar that the Agent has before the conversation; null for none. */
  readonly avatarId: string | null
}

/**
 * Shows the Agent: its avatar, with a picture until the avatar can move, or an orb. The renderer is loaded with
 * the first conversation that has one.
 */
export const AgentStage = ({ talk, api, avatarId }: AgentStageProps) => {
  const { session, avatarRef, avatarLoad, phase, doing } = talk
  const { data: avatars = [] } = useAvatars(api)
  const avatar = session === null ? avatars.find(({ id }) => id === avatarId) : session.avatar
  const { status } = avatarLoad
  const isMoving = session !== null && session.avatar !== null
  return (
    <div id="stage" className={classes.stage} data-state={phase}>
      {avatar == null && <Orb className={classes.orb} />}
      {avatar != null && status !== 'ready' && <img src={avatar.thumbnail_url} alt="" className={classes.picture} />}
      {isMoving && <div ref={avatarRef} id="avatar" role="img" aria-label="The Agent" className={classes.face} />}
      {isMoving && status !== 'error' && status !== 'ready' && (
        <Loader size="sm" className={classes.loader} aria-label="Loading the avatar" />
      )}
      {status === 'error' && (
        <Text size="xs" role="status" className={classes.note}>
          The avatar cannot be shown here. The conversation continues.
        </Text>
      )}
      <Text id="doing" role="status" fw={550} className={classes.doing}>
        {doing}
      </Text>
    </div>
  )
}
