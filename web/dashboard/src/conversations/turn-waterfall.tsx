import { Box, Group, Stack, Text } from '@mantine/core'
import { formatMs } from '../shared/quantities.js'
import type { Turn } from './conversation-queries.js'
import { durationOf, stagesOf } from './turn-stages.js'
import classes from './turn-waterfall.module.css'

const colorOf = (color: string): string => `var(--mantine-color-${color}-6)`

interface TurnWaterfallProps {
  readonly turn: Turn
  /** Of the longest turn of the conversation, whose bar has the whole width. */
  readonly longestMs: number
}

/** When each stage of a turn began and how long it took. */
export const TurnWaterfall = ({ turn, longestMs }: TurnWaterfallProps) => {
  const stages = stagesOf(turn)
  if (stages.length === 0) return null
  const shareOf = (ms: number): string => `${(ms / longestMs) * 100}%`
  return (
    <Box role="group" aria-label={`Timings of the turn: ${formatMs(durationOf(turn))}`}>
      <div className={classes.waterfall} aria-hidden>
        {stages.map(({ label, startMs, ms, color, isPrepared }) => (
          <div key={label} className={classes.track}>
            <span
              data-prepared={isPrepared}
              style={{ marginInlineStart: shareOf(startMs), width: shareOf(ms), color: colorOf(color) }}
            />
          </div>
        ))}
      </div>
      <Group gap="xs" mt={4}>
        {stages.map(({ label, ms, color, isPrepared }) => (
          <Text key={label} size="xs" c="dimmed" className={classes.stage}>
            <span aria-hidden className={classes.swatch} data-prepared={isPrepared} style={{ color: colorOf(color) }} />
            {label} {formatMs(ms)}
            {isPrepared && ' ahead'}
          </Text>
        ))}
        {turn.speculation === 'miss' && (
          <Text size="xs" c="dimmed" className={classes.stage}>
            Prepared reply not used
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
          <Text fw={600}>Turn {index + 1}</Text>
          <TurnWaterfall turn={turn} longestMs={longestMs} />
        </div>
      ))}
    </Stack>
  )
}
