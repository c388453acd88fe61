import type { UseParlance } from '@parlance/react'
import { useEffect, useRef } from 'react'

export const Transcript = ({ messages }: { messages: UseParlance['transcript'] }) => {
  const list = useRef<HTMLOListElement>(null)
  // The end of the list moves when a message changes.
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [messages])

  return (
    <ol ref={list} aria-live="polite" aria-label="Transcript">
      {messages.map(({ id, role, text, interrupted }) => (
        <li key={id} data-role={role}>
          {text}
          {interrupted && <small> Interrupted</small>}
        </li>
      ))}
    </ol>
  )
}
