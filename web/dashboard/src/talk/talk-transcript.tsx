import type { TranscriptMessage } from '@parlance/client'
import { useEffect, useRef } from 'react'
import classes from './talk-transcript.module.css'

const interruptedNote = (text: string): string =>
  text === '' ? 'Interrupted before the first word' : 'Interrupted here'

/** The messages of both sides, in the order in which they began. A message that is not final may still change. */
export const TalkTranscript = ({ messages }: { readonly messages: readonly TranscriptMessage[] }) => {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    if (list.current !== null) list.current.scrollTop = list.current.scrollHeight
  }, [messages])
  return (
    <ol
      ref={list}
      id="transcript"
      className={classes.transcript}
      aria-label="Transcript"
      aria-live="polite"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it.
      tabIndex={0}
    >
      {messages.map(({ id, role, text, final, interrupted }) => (
        <li key={id} data-role={role} data-final={final || undefined} dir="auto">
          {text}
          {interrupted && <span className={classes.note}>{interruptedNote(text)}</span>}
        </li>
      ))}
    </ol>
  )
}
