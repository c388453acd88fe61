import { Text } from '@mantine/core'
import { formatCount } from '../shared/quantities.js'
import classes from './speech-panel.module.css'
import { type SpeechPhase, type SpeechState, secondsOf } from './speech-state.js'

const milliseconds = (ms: number): string => `${formatCount(Math.round(ms))} ms`

const shown = <Value,>(value: Value | null, format: (value: Value) => string): string =>
  value === null ? '–' : format(value)

const playedAsides: Readonly<Partial<Record<SpeechPhase, string>>> = {
  done: 'of speech',
  stopped: 'played before it was stopped',
}

interface FigureProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly aside: string
}

const Figure = ({ id, label, value, aside }: FigureProps) => (
  <div>
    <Text component="dt" c="dimmed">
      {label}
    </Text>
    <dd>
      <output id={id}>{value}</output>
    </dd>
    <Text component="dd" size="xs" c="dimmed">
      {aside}
    </Text>
  </div>
)

/** How soon the speech began, how long it is, and what it costs. */
export const SpeechFigures = ({ state }: { readonly state: SpeechState }) => {
  const { phase, firstAudioMs, serverMs, playedTenths, billedCharacters } = state
  const firstAudioAside =
    serverMs === null
      ? 'from your click to the first sound'
      : `from your click; the server took ${milliseconds(serverMs)}`
  return (
    <dl className={classes.figures}>
      <Figure id="ttfa" label="Time to first audio" value={shown(firstAudioMs, milliseconds)} aside={firstAudioAside} />
      <Figure
        id="duration"
        label="Audio"
        value={shown(playedTenths, secondsOf)}
        aside={playedAsides[phase] ?? 'played so far'}
      />
      <Figure id="billed" label="Billed" value={shown(billedCharacters, formatCount)} aside="characters of your text" />
    </dl>
  )
}
