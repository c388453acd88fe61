import type { UseParlance } from '@parlance/react'
import { type KeyboardEvent, useState } from 'react'

/** Speaks while it is pressed: with a pointer, or with the Space key while it has the focus. */
export const HoldToSpeak = ({ parlance }: { parlance: UseParlance }) => {
  const [held, setHeld] = useState(false)
  const hold = () => {
    if (held) return
    setHeld(true)
    parlance.startPushToTalk()
  }
  const release = () => {
    if (!held) return
    setHeld(false)
    parlance.commitPushToTalk()
  }
  const onSpace = (action: () => void) => (event: KeyboardEvent) => {
    if (event.code !== 'Space') return
    event.preventDefault()
    action()
  }

  return (
    <button
      type="button"
      className="hold"
      // biome-ignore lint/a11y/noAutofocus: the button that was pressed is gone, and the keyboard goes on with this one
      autoFocus
      aria-pressed={held}
      // The pointer may leave the button while it is held.
      onPointerDown={({ currentTarget, pointerId }) => {
        currentTarget.setPointerCapture(pointerId)
        hold()
      }}
      onPointerUp={release}
      onPointerCancel={release}
      onKeyDown={onSpace(hold)}
      onKeyUp={onSpace(release)}
      onBlur={release}
    >
      {held ? 'Release to send' : 'Hold to speak'}
    </button>
  )
}
