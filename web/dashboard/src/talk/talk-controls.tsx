import { Button, Group, Kbd, Text } from '@mantine/core'
import { Play } from 'lucide-react'
import { useRecording } from '../conversations/recording/recording-queries.js'
import { PageAnchor } from '../shared/links.js'
import { LevelBars } from './level-bars.js'
import classes from './talk-panel.module.css'
import type { Talk } from './use-talk.js'
import type { TalkKeys } from './use-talk-keys.js'

const HoldButton = ({ keys }: { readonly keys: TalkKeys }) => (
  <Button
    id="hold"
    className={classes.hold}
    color={keys.isHeld ? 'red' : 'indigo'}
    data-held={keys.isHeld || undefined}
    aria-keyshortcuts="Space"
    onPointerDown={keys.hold}
    onPointerUp={keys.commit}
    onPointerLeave={keys.commit}
    onPointerCancel={keys.cancel}
    rightSection={<Kbd visibleFrom="sm">Space</Kbd>}
  >
    Hold to speak
  </Button>
)

/** The buttons of a conversation that has begun. */
const LiveButtons = ({ talk, keys }: { readonly talk: Talk; readonly keys: TalkKeys }) => (
  <>
    <Button id="interrupt" variant="default" aria-keyshortcuts="Escape" onClick={talk.interrupt}>
      Interrupt
    </Button>
    {talk.mode === 'automatic' && (
      <Button
        id="mute"
        variant={talk.isMuted ? 'filled' : 'default'}
        color="red"
        aria-pressed={talk.isMuted}
        onClick={() => talk.setMuted(!talk.isMuted)}
      >
        {talk.isMuted ? 'Muted' : 'Mute'}
      </Button>
    )}
    {talk.mode === 'push-to-talk' && <HoldButton keys={keys} />}
    {talk.audioBlocked && (
      <Button variant="light" onClick={() => void talk.resumeAudio()}>
        Turn the sound on
      </Button>
    )}
  </>
)

/** Whether an ended conversation was recorded, or why not. Nothing for an Agent that is not recorded. */
const RecordingNote = ({ sessionId }: { readonly sessionId: string }) => {
  const { data: recording } = useRecording(sessionId, false)
  if (!recording) return null
  return recording.state === 'not_recorded' ? <>It was not recorded. {recording.failure} </> : <>It was recorded. </>
}

interface TalkControlsProps {
  readonly talk: Talk
  readonly keys: TalkKeys
  readonly isMember: boolean
}

/** How loud both sides are, what the user can do, and how the last conversation ended. */
export const TalkControls = ({ talk, keys, isMember }: TalkControlsProps) => {
  const { phase, problem, outcome, endedId, client } = talk
  return (
    <div className={classes.controls}>
      {phase === 'live' && <LevelBars client={client} withMicrophone={talk.mode !== 'text'} />}
      <Group gap="xs" className={classes.buttons}>
        {phase === 'live' && <LiveButtons talk={talk} keys={keys} />}
        {phase === 'idle' ? (
          <Button id="start" size="md" className={classes.start} leftSection={<Play size={18} />} onClick={talk.start}>
            Start
          </Button>
        ) : (
          <Button
            id="hang-up"
            color="red"
            variant="light"
            disabled={phase === 'ending'}
            onClick={() => void talk.disconnect()}
          >
            Hang up
          </Button>
        )}
      </Group>
      {problem !== '' && (
        <Text id="problem" role="alert" className={classes.problem}>
          {problem}
        </Text>
      )}
      {outcome !== '' && (
        <Text id="outcome" role="status" c="dimmed" ta="center">
          {outcome}{' '}
          {isMember && endedId !== undefined && (
            <>
              <RecordingNote sessionId={endedId} />
              <PageAnchor to="/conversations/$sessionId" params={{ sessionId: endedId }} inherit>
                Open the record
              </PageAnchor>
            </>
          )}
        </Text>
      )}
    </div>
  )
}
