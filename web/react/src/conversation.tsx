import type { InputMode } from '@parlance/client'
import { type FormEvent, type ReactNode, useRef } from 'react'
import { useSession } from './client-hooks.js'
import type { ConversationState } from './conversation-state.js'
import { DeviceMenu } from './device-menu.js'
import { hangUpIcon, sendIcon } from './icons.js'
import { MicButton, type MicButtonProps } from './mic-button.js'
import { Orb } from './orb.js'
import { type Labels, type PartProps, useLabels } from './provider.js'
import { Transcript } from './transcript.js'
import { useParlance } from './use-parlance.js'

/** What goes on, in words. */
const statusOf = (state: ConversationState, labels: Labels): string => {
  const { connectionState, session, agentState, userSpeaking, muted } = state
  if (connectionState === 'requesting-microphone') return labels.requestingMicrophone
  if (connectionState !== 'connected') return labels[connectionState]
  if (agentState !== 'listening') return labels[agentState]
  if (userSpeaking) return labels.hearing
  if (session?.textOnly || session?.inputMode === 'push-to-talk') return labels.waiting
  return muted ? labels.muted : labels.listening
}

export interface ComposerProps extends PartProps {
  readonly autoFocus?: boolean
}

/** A field for typed messages, which the Agent answers in speech. It is disabled without a session. */
export const Composer = ({ autoFocus, className = '', style }: ComposerProps) => {
  const { sendText } = useParlance()
  const isLive = useSession() !== null
  const labels = useLabels()
  const field = useRef<HTMLInputElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const text = field.current!.value.trim()
    if (text === '' || !isLive) return
    sendText(text)
    field.current!.value = ''
  }
  return (
    <form className={`parlance parlance-composer ${className}`} style={style} onSubmit={submit}>
      <input
        ref={field}
        aria-label={labels.message}
        placeholder={labels.messagePlaceholder}
        autoComplete="off"
        maxLength={4_000}
        disabled={!isLive}
        // biome-ignore lint/a11y/noAutofocus: the page decides
        autoFocus={autoFocus}
      />
      <button type="submit" className="parlance-button" disabled={!isLive} aria-label={labels.send} title={labels.send}>
        {sendIcon}
      </button>
    </form>
  )
}

export interface ConversationProps extends PartProps {
  /** Above the panel, such as the name of the Agent. */
  readonly title?: ReactNode
  /** Default `automatic`, an open microphone. */
  readonly inputMode?: InputMode
  /** Whether the user only types, and is never asked for a microphone. */
  readonly textOnly?: boolean
  /** How the button works with push-to-talk. Default `hold`. */
  readonly micMode?: NonNullable<MicButtonProps['mode']>
  /** In the place of the orb, such as an `AvatarView` or a `Waveform`. */
  readonly figure?: ReactNode
}

/**
 * A whole conversation: the Agent, what both sides say, the microphone and a field for text. It fills the height of its
 * container, with the transcript beside the Agent where the panel is wide. The button that starts the conversation becomes the one
 * that ends it, so that the focus stays.
 */
export const Conversation = (props: ConversationProps) => {
  const { title, inputMode = 'automatic', textOnly = false, micMode, figure = <Orb />, className = '', style } = props
  const parlance = useParlance()
  const { connectionState, session, transcript, error, audioBlocked } = parlance
  const labels = useLabels()
  const isOver = connectionState === 'idle' || connectionState === 'disconnected'
  const speaks = session !== null && !session.textOnly

  return (
    <section
      className={`parlance parlance-conversation ${className}`}
      style={style}
      aria-label={labels.conversation}
      data-state={connectionState}
      data-messages={transcript.length > 0 || undefined}
    >
      <div>
        <header>
          {title !== undefined && <h2>{title}</h2>}
          <DeviceMenu />
        </header>
        <div className="parlance-stage">
          {figure}
          <p role="status">{statusOf(parlance, labels)}</p>
        </div>
        <Transcript />
        <footer>
          {error && <p role="alert">{error.message}</p>}
          {audioBlocked && (
            <button
              type="button"
              className="parlance-button parlance-primary"
              onClick={() => void parlance.resumeAudio()}
            >
              {labels.turnSoundOn}
            </button>
          )}
          <div className="parlance-controls">
            {speaks && (
              <MicButton {...(micMode && { mode: micMode })} autoFocus={session.inputMode === 'push-to-talk'} />
            )}
            {session && <Composer autoFocus={session.textOnly} />}
            {isOver ? (
              <button
                key="call"
                type="button"
                className="parlance-button parlance-primary"
                onClick={() => parlance.connect(textOnly ? { textOnly } : { inputMode })}
              >
                {textOnly ? labels.startTextOnly : labels.start}
              </button>
            ) : (
              <button
                key="call"
                type="button"
                className="parlance-button parlance-end"
                aria-label={labels.hangUp}
                title={labels.hangUp}
                disabled={connectionState === 'disconnecting'}
                onClick={() => void parlance.disconnect()}
              >
                {hangUpIcon}
              </button>
            )}
            {isOver && !textOnly && (
              <button type="button" className="parlance-button" onClick={() => parlance.connect({ microphone: false })}>
                {labels.startTyping}
              </button>
            )}
          </div>
        </footer>
      </div>
    </section>
  )
}
