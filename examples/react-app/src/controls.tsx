import './controls.css'
import { type UseParlance, useAudioLevel } from '@parlance/react'
import { useState } from 'react'
import { HoldToSpeak } from './hold-to-speak'

export const Controls = ({ parlance }: { parlance: UseParlance }) => {
  const { connectionState, session, connect, disconnect } = parlance
  // Kept here, as the client stays muted in the sessions that follow.
  const [muted, setMuted] = useState(false)

  if (connectionState === 'idle' || connectionState === 'disconnected') {
    return (
      <div className="controls">
        <button type="button" onClick={() => connect({ inputMode: 'automatic' })}>
          Talk
        </button>
        <button type="button" onClick={() => connect({ inputMode: 'push-to-talk' })}>
          Push to talk
        </button>
        <button type="button" onClick={() => connect({ textOnly: true })}>
          Type only
        </button>
      </div>
    )
  }
  return (
    <div className="controls">
      {session && !session.textOnly && (
        <>
          <InputLevel client={parlance.client} />
          {session.inputMode === 'push-to-talk' && <HoldToSpeak parlance={parlance} />}
          <Mute parlance={parlance} muted={muted} onChange={setMuted} />
        </>
      )}
      <button type="button" onClick={disconnect}>
        Hang up
      </button>
    </div>
  )
}

/** A component of its own: it renders with each frame in which the level changes. */
const InputLevel = ({ client }: Pick<UseParlance, 'client'>) => (
  <meter aria-label="Microphone level" max={1} value={useAudioLevel(client, 'input')} />
)

interface MuteProps {
  readonly parlance: UseParlance
  readonly muted: boolean
  readonly onChange: (muted: boolean) => void
}

const Mute = ({ parlance, muted, onChange }: MuteProps) => {
  const toggle = () => {
    if (muted) parlance.unmute()
    else parlance.mute()
    onChange(!muted)
  }
  return (
    <button type="button" aria-pressed={muted} onClick={toggle}>
      {muted ? 'Muted' : 'Mute'}
    </button>
  )
}
