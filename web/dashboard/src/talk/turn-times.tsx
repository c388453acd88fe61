import { ActionIcon, Group, Stack, Text, Title } from '@mantine/core'
import type { TurnMetrics } from '@parlance/client'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
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

interface TurnChoiceProps {
  /** The index of the turn that is shown. */
  readonly shown: number
  readonly count: number
  onChoose(index: number): void
}

/** Leads to the turns before and after the one that is shown. A button at an end keeps the focus. */
const TurnChoice = ({ shown, count, onChoose }: TurnChoiceProps) => {
  const step = (label: string, Icon: typeof ChevronLeft, index: number) => {
    const isEnd = index < 0 || index >= count
    return (
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={label}
        aria-disabled={isEnd}
        {...(isEnd && { 'data-disabled': true })}
        onClick={() => isEnd || onChoose(index)}
      >
        <Icon aria-hidden size={16} />
      </ActionIcon>
    )
  }
  return (
    <Group gap={2} wrap="nowrap">
      {step('Previous turn', ChevronLeft, shown - 1)}
      <Text size="xs" c="dimmed" role="status">
        {shown + 1} of {count}
      </Text>
      {step('Next turn', ChevronRight, shown + 1)}
    </Group>
  )
}

/**
 * How long the parts of a turn took, each beginning where the one before it ended: of the last turn, until the person chooses an
 * earlier one.
 */
export const TurnTimes = ({ turns }: { readonly turns: readonly TurnMetrics[] }) => {
  const last = turns.length - 1
  const [chosen, setChosen] = useState<number>()
  // Another conversation begins with its own turns.
  const shown = chosen !== undefined && chosen < last ? chosen : last
  const rows = waterfallOf(turns[shown] ?? none)
  return (
    <Stack gap="xs" component="section" aria-labelledby="turn-times">
      <Group justify="space-between" wrap="nowrap" mih={22}>
        <Title order={2} size="h6" id="turn-times">
          {shown === last ? 'Times of the last turn' : `Times of turn ${shown + 1}`}
        </Title>
        {turns.length > 1 && (
          <TurnChoice
            shown={shown}
            count={turns.length}
            onChoose={(index) => setChosen(index === last ? undefined : index)}
          />
        )}
      </Group>
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
