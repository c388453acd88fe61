import type { AudioLevels } from '@parlance/client'
import { type RefObject, useCallback, useRef } from 'react'
import { useAgentState, useConnectionState, useOnLevels } from './client-hooks.js'
import type { PartProps } from './provider.js'

/** A ref to an element whose CSS variable `--parlance-level` follows a level, without rendering. */
export const useLevelVariable = <Shape extends HTMLElement>(of: keyof AudioLevels): RefObject<Shape | null> => {
  const element = useRef<Shape>(null)
  useOnLevels(
    useCallback((levels) => element.current?.style.setProperty('--parlance-level', levels[of].toFixed(2)), [of]),
  )
  return element
}

/** Moves with what the Agent does, and grows with its voice. It is decoration: a screen reader does not see it. */
export const Orb = ({ className = '', style }: PartProps) => {
  const connection = useConnectionState()
  const agentState = useAgentState()
  return (
    <div
      ref={useLevelVariable<HTMLDivElement>('output')}
      className={`parlance parlance-orb ${className}`}
      style={style}
      data-state={connection === 'connected' ? agentState : connection}
      aria-hidden="true"
    >
      <span />
    </div>
  )
}
