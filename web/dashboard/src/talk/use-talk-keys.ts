import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import type { Talk } from './use-talk.js'

/** Push-to-talk by the button or the Space key. */
export interface TalkKeys {
  readonly isHeld: boolean
  hold(): void
  commit(): void
  cancel(): void
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement || target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement

/**
 * In a conversation with push-to-talk, Space holds the button, and never presses the one with the focus. Escape interrupts the
 * Agent. Keys that are pressed elsewhere on the page than in `panel` are left alone.
 */
export const useTalkKeys = (talk: Talk, panel: RefObject<HTMLElement | null>): TalkKeys => {
  const { phase, mode } = talk
  const [isHeld, setIsHeld] = useState(false)

  const hold = () => {
    if (isHeld || phase !== 'live' || mode !== 'push-to-talk') return
    setIsHeld(true)
    talk.startPushToTalk()
  }
  const release = (send: () => void) => {
    if (!isHeld) return
    setIsHeld(false)
    if (phase === 'live') send()
  }
  const commit = () => release(talk.commitPushToTalk)
  const cancel = () => release(talk.cancelPushToTalk)

  const isHere = ({ target }: Event): boolean =>
    target === document.body || (target instanceof Node && panel.current?.contains(target) === true)
  /** From the start on, so that a key that comes a moment early does not press the focused button, which hangs up. */
  const isTalkKey = (event: KeyboardEvent): boolean =>
    event.code === 'Space' && mode === 'push-to-talk' && phase !== 'idle' && isHere(event) && !isTyping(event.target)

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (isTalkKey(event)) {
      event.preventDefault()
      hold()
    }
    if (event.key === 'Escape' && phase === 'live' && isHere(event) && !event.defaultPrevented) talk.interrupt()
  })
  const onKeyUp = useEffectEvent((event: KeyboardEvent) => {
    // Firefox presses the focused button when the key is released.
    if (isTalkKey(event)) event.preventDefault()
    if (event.code === 'Space') commit()
  })
  // A key that is released in another window is not seen here.
  const onBlur = useEffectEvent(commit)

  useEffect(() => {
    const down = (event: KeyboardEvent) => onKeyDown(event)
    const up = (event: KeyboardEvent) => onKeyUp(event)
    const blur = () => onBlur()
    document.addEventListener('keydown', down)
    document.addEventListener('keyup', up)
    window.addEventListener('blur', blur)
    return () => {
      document.removeEventListener('keydown', down)
      document.removeEventListener('keyup', up)
      window.removeEventListener('blur', blur)
    }
  }, [])

  return { isHeld: isHeld && phase === 'live', hold, commit, cancel }
}
