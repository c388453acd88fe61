import type { UseParlance } from '@parlance/react'

export const Transcript = ({ messages }: { messages: UseParlance['transcript'] }) => (
  <ol aria-live="polite">
    {messages.map(({ id, role, text }) => (
      <li key={id} data-role={role}>
        {text}
      </li>
    ))}
  </ol>
)
