import { Button, Kbd, Text } from '@mantine/core'
import { Play, Square } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { formatCount } from '../shared/quantities.js'
import classes from './speech-panel.module.css'
import { charactersOf, isBusy, type SpeechState } from './speech-state.js'

/** In code points: what a stream lets wait to be spoken. */
export const maxCharacters = 8_000

const advice: Readonly<Record<string, string>> = {
  insufficient_credit: 'This workspace has no credit left. The operator of this installation can grant more.',
  capability_disabled: 'This workspace may not use speech.',
}

const countText = (count: number): string =>
  count > maxCharacters
    ? `${charactersOf(count - maxCharacters)} too many; at most ${formatCount(maxCharacters)}`
    : `${formatCount(count)} of ${charactersOf(maxCharacters)}`

/** The pressed button disappears, so the button in its place gets the focus. */
const useMovedFocus = (busy: boolean): void => {
  const wasBusy = useRef(busy)
  useEffect(() => {
    if (wasBusy.current === busy) return
    wasBusy.current = busy
    const { activeElement } = document
    if (activeElement !== null && activeElement !== document.body) return
    document.getElementById(busy ? 'stop' : 'speak')?.focus({ preventScroll: true })
  }, [busy])
}

interface SpeechControlsProps {
  readonly state: SpeechState
  readonly characters: number
  readonly canSpeak: boolean
  onSpeak(): void
  onStop(): void
}

/** The button that speaks or stops, how long the text is, and what went wrong. */
export const SpeechControls = ({ state, characters, canSpeak, onSpeak, onStop }: SpeechControlsProps) => {
  const busy = isBusy(state)
  const { problem } = state
  useMovedFocus(busy)
  return (
    <div className={classes.controls}>
      {busy ? (
        <Button key="stop" id="stop" color="dark" aria-keyshortcuts="Escape" leftSection={<Square />} onClick={onStop}>
          Stop
        </Button>
      ) : (
        <Button
          key="speak"
          id="speak"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          leftSection={<Play />}
          disabled={!canSpeak}
          onClick={onSpeak}
        >
          Speak
        </Button>
      )}
      <Text c="dimmed" className={classes.keys}>
        <Kbd>Ctrl</Kbd> <Kbd>Enter</Kbd> speaks, <Kbd>Esc</Kbd> stops
      </Text>
      <Text
        id="count"
        className={classes.count}
        c={characters > maxCharacters ? 'var(--mantine-color-error)' : 'dimmed'}
      >
        {countText(characters)}
      </Text>
      {problem !== null && (
        <Text id="problem" role="alert" c="var(--mantine-color-error)" className={classes.problem}>
          {advice[problem.code] ?? problem.detail}
        </Text>
      )}
    </div>
  )
}
