import { useEffect, useRef } from 'react'
import { useAgentState, useMessages, useSession } from './client-hooks.js'
import { type PartProps, useLabels } from './provider.js'

/** How far from its end the list may be scrolled, in pixels, and still follow new messages. */
const nearEnd = 40

/** The messages of both sides. It scrolls to new ones, unless the user has scrolled back. */
export const Transcript = ({ className = '', style }: PartProps) => {
  const messages = useMessages()
  const isThinking = useAgentState() === 'thinking'
  const isLive = useSession() !== null
  const labels = useLabels()
  const element = useRef<HTMLDivElement>(null)
  const follows = useRef(true)

  // The end of the list moves when a message changes.
  useEffect(() => {
    if (follows.current) element.current!.scrollTop = element.current!.scrollHeight
  }, [messages, isThinking])

  return (
    <div
      ref={element}
      className={`parlance parlance-transcript ${className}`}
      style={style}
      role="log"
      aria-label={labels.transcript}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.current = scrollHeight - scrollTop - clientHeight < nearEnd
      }}
    >
      {messages.map(({ id, role, text, final, interrupted }) => (
        // A screen reader reads a message when it is final, not each of its words.
        <p key={id} data-role={role} data-final={final || undefined} aria-busy={!final} dir="auto">
          <span className="parlance-hidden">{labels[role]}: </span>
          {text}
          {interrupted && <small>{labels.interrupted}</small>}
        </p>
      ))}
      {isLive && isThinking && (
        <p data-role="agent" className="parlance-thinking" aria-hidden="true">
          <i />
          <i />
          <i />
        </p>
      )}
    </div>
  )
}
