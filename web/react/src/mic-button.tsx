import { type KeyboardEvent, type MouseEvent, type PointerEvent, useState } from 'react'
import { useMuted, useParlanceClient, useSession } from './client-hooks.js'
import { microphoneIcon, mutedIcon } from './icons.js'
import { useLevelVariable } from './orb.js'
import { type PartProps, useLabels } from './provider.js'

export interface MicButtonProps extends PartProps {
  /**
   * With push-to-talk: whether the user holds the button while speaking (default), or presses it before and after. A screen reader
   * that clicks the button, without holding it, toggles in both.
   */
  readonly mode?: 'hold' | 'toggle'
  readonly autoFocus?: boolean
}

/**
 * The microphone of the session. With push-to-talk the user speaks with this button, with the pointer or with Space or Enter, and
 * Escape discards what was said. With an open microphone it mutes.
 */
export const MicButton = (props: MicButtonProps) => {
  const session = useSession()
  return session?.inputMode === 'push-to-talk' && !session.textOnly ? (
    <TalkButton key={session.id} {...props} />
  ) : (
    <MuteButton {...props} disabled={session === null || session.textOnly} />
  )
}

const MuteButton = ({ className = '', disabled, ...rest }: MicButtonProps & { readonly disabled: boolean }) => {
  const { mode: _, ...attributes } = rest
  const client = useParlanceClient()
  const muted = useMuted()
  const { mute } = useLabels()
  return (
    <button
      ref={useLevelVariable<HTMLButtonElement>('input')}
      type="button"
      className={`parlance parlance-button parlance-mic ${className}`}
      {...attributes}
      disabled={disabled}
      aria-label={mute}
      aria-pressed={muted}
      title={mute}
      onClick={muted ? client.unmute : client.mute}
    >
      {muted ? mutedIcon : microphoneIcon}
    </button>
  )
}

const TalkButton = ({ mode = 'hold', className = '', ...attributes }: MicButtonProps) => {
  const client = useParlanceClient()
  const labels = useLabels()
  const [isTalking, setIsTalking] = useState(false)

  const start = () => {
    if (isTalking) return
    setIsTalking(true)
    client.startPushToTalk()
  }
  const stop = (send: () => void) => {
    if (!isTalking) return
    setIsTalking(false)
    if (client.session !== null) send()
  }
  const commit = () => stop(client.commitPushToTalk)
  const cancel = () => stop(client.cancelPushToTalk)

  const isHeldKey = ({ key }: KeyboardEvent) => mode === 'hold' && (key === ' ' || key === 'Enter')
  const holding = {
    // The pointer may leave the button while it is held.
    onPointerDown: ({ currentTarget, pointerId, button }: PointerEvent<HTMLElement>) => {
      if (button !== 0) return
      currentTarget.setPointerCapture(pointerId)
      start()
    },
    onPointerUp: commit,
    onPointerCancel: cancel,
    onBlur: commit,
    // Of a long press on a phone.
    onContextMenu: (event: MouseEvent) => event.preventDefault(),
  }

  const [idle, talking] =
    mode === 'hold' ? [labels.holdToSpeak, labels.releaseToSend] : [labels.speak, labels.finishSpeaking]
  return (
    <button
      ref={useLevelVariable<HTMLButtonElement>('input')}
      type="button"
      className={`parlance parlance-button parlance-mic parlance-talk ${className}`}
      {...attributes}
      data-talking={isTalking || undefined}
      {...(mode === 'hold' ? holding : {})}
      onClick={({ detail }) => {
        // A click without a pointer has no detail: it comes from the keyboard or from a screen reader.
        if (mode === 'toggle' || detail === 0) (isTalking ? commit : start)()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isTalking) {
          event.stopPropagation()
          cancel()
        }
        if (!isHeldKey(event)) return
        event.preventDefault()
        if (!event.repeat) start()
      }}
      onKeyUp={(event) => {
        if (!isHeldKey(event)) return
        // Firefox clicks a button when the key is released.
        event.preventDefault()
        commit()
      }}
    >
      {microphoneIcon}
      {isTalking ? talking : idle}
    </button>
  )
}
