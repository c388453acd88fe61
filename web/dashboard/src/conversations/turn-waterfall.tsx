import { Box, Group, Stack, Text } from '@mantine/core'
import { formatMs } from '../shared/quantities.js'
import type { Turn } from './conversation-queries.js'
import { durationOf, preparationOf, stagesOf } from './turn-stages.js'
import classes from './turn-waterfall.module.css'

const colorOf = (color: string): string => `var(--mantine-color-${color}-6)`

export interface TurnWaterfallProps {
  readonly turn: Turn
  /** Of the longest turn of the conversation, whose bar has the whole width. */
  readonly longestMs: number
}

/** How long the stages of a turn took, one after the other. */
export const TurnWaterfall = ({ turn, longestMs }: TurnWaterfallProps) => {
  const stages = stagesOf(turn)
  const preparation = preparationOf(turn)
  if (stages.length === 0) return null
  return (
    <Box role="group" aria-label={`Timings of the turn: ${formatMs(durationOf(turn))}`}>
      <div className={classes.track} aria-hidden>
        {stages.map(({ label, ms, color }) => (
          <span key={label} style={{ width: `${(ms / longestMs) * 100}%`, background: colorOf(color) }} />
        ))}
      </div>
      <Group gap="xs" mt={4}>
        {stages.map(({ label, ms, color }) => (
          <Text key={label} size="xs" c="dimmed" className={classes.stage}>
            <span aria-hidden className={classes.swatch} style={{ background: colorOf(color) }} />
            {label} {formatMs(ms)}
          </Text>
        ))}
        {preparation !== undefined && (
          <Text size="xs" c="dimmed" className={classes.stage}>
            {preparation}
          </Text>
        )}
        <Text size="xs" fw={600} className={classes.stage}>
          {formatMs(durationOf(turn))} in all
        </Text>
      </Group>
    </Box>
  )
}

/** The timings of all turns of a conversation. */
export const TurnList = ({ turns }: { readonly turns: readonly Turn[] }) => {
  const longestMs = Math.max(...turns.map(durationOf))
  return (
    <Stack gap="sm">
      {turns.map((turn, index) => (
        <div key={index}>
          <Text size="sm" fw={600}>
            Turn {index + 1}
          </Text>
          <TurnWaterfall turn={turn} longestMs={longestMs} />
        </div>
      ))}
    </Stack>
  )
}
