import { type RefObject, useEffect, useRef } from 'react'
import type { Talk } from './use-talk.js'

/** The element that a person without a mouse needs next when the conversation has begun. */
const liveTargets = { automatic: '#hang-up', 'push-to-talk': '#hold', text: '#say' } as const

const targetOf = ({ phase, mode }: Talk): string => {
  if (phase === 'live') return liveTargets[mode]
  return phase === 'idle' ? '#start' : '#hang-up'
}

/** Moves the focus when a conversation begins or ends, because the focused button disappears. */
export const useMovedFocus = (talk: Talk, panel: RefObject<HTMLElement | null>): void => {
  const { phase } = talk
  const previous = useRef(phase)
  useEffect(() => {
    if (previous.current === phase) return
    previous.current = phase
    const { activeElement } = document
    const isLost = activeElement === null || activeElement === document.body
    if (isLost || activeElement.id === 'hang-up') {
      panel.current?.querySelector<HTMLElement>(targetOf(talk))?.focus({ preventScroll: true })
    }
  })
}
