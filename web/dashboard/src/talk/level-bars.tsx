import type { ParlanceClient } from '@parlance/client'
import { useAudioLevel } from '@parlance/react'
import { Mic, Volume2 } from 'lucide-react'
import classes from './level-bars.module.css'

type Loudness = Pick<ParlanceClient, 'getInputLevel' | 'getOutputLevel'>

interface LevelBarProps {
  readonly client: Loudness
  readonly of: 'input' | 'output'
}

const sides = {
  input: { label: 'Level of the microphone', icon: Mic },
  output: { label: 'Level of the Agent', icon: Volume2 },
} as const

const LiveBar = ({ client, of }: LevelBarProps) => {
  const level = useAudioLevel(client, of)
  return <span style={{ width: `${level * 100}%` }} />
}

interface LevelBarsProps {
  readonly client: Loudness
  readonly withMicrophone: boolean
  /** Where the user is another person. */
  readonly inputLabel?: string
}

/** How loud the user and the Agent are. */
export const LevelBars = ({ client, withMicrophone, inputLabel = sides.input.label }: LevelBarsProps) => (
  <div className={classes.bars}>
    {(['input', 'output'] as const).map((of) => {
      const { label, icon: Icon } = sides[of]
      const isMeasured = of === 'output' || withMicrophone
      return (
        <div key={of} role="img" aria-label={of === 'input' ? inputLabel : label} className={classes.side}>
          <Icon size={14} />
          <span className={classes.track}>{isMeasured && <LiveBar client={client} of={of} />}</span>
        </div>
      )
    })}
  </div>
)
