import { Stack, Text, Title } from '@mantine/core'
import type { TurnMetrics } from '@parlance/client'
import classes from './turn-times.module.css'
import { waterfallOf } from './turn-waterfall-rows.js'

const formatMs = (ms: number | null): string => (ms === null ? '–' : `${Math.round(ms).toLocaleString('en')} ms`)

const none: TurnMetrics = {
  endpointing_ms: null,
  stt_ms: null,
  llm_ttft_ms: null,
  tts_ttfa_ms: null,
  voice_to_voice_ms: null,
}

/** How long the parts of the last turn took, each beginning where the one before it ended. */
export const TurnTimes = ({ turns }: { readonly turns: readonly TurnMetrics[] }) => {
  const rows = waterfallOf(turns.at(-1) ?? none)
  return (
    <Stack gap="xs" component="section" aria-labelledby="turn-times">
      <Title order={2} size="h6" id="turn-times">
        Times of the last turn
      </Title>
      <dl className={classes.rows}>
        {rows.map(({ id, label, explanation, ms, startShare, share }) => (
          <div key={id}>
            <dt>
              {label}
              <Text span size="xs" c="dimmed" className={classes.explanation}>
                {explanation}
              </Text>
            </dt>
            <dd>
              <output id={id}>{formatMs(ms)}</output>
              <span aria-hidden className={classes.track}>
                <span data-part={id} style={{ marginInlineStart: `${startShare * 100}%`, width: `${share * 100}%` }} />
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Stack>
  )
}
