import { Stack, Switch, TextInput } from '@mantine/core'
import { useAgentFormContext, useField } from './agent-form.js'
import { FieldGrid, NumberField } from './field-grid.js'

export const TurnFields = () => {
  const field = useField()
  const { values } = useAgentFormContext()
  const isUninterruptible = !values.turn_config.interruptions_enabled
  return (
    <Stack>
      <FieldGrid>
        <TextInput {...field.input('stt_config.language')} spellCheck={false} />
        <NumberField path="turn_config.endpointing_min_ms" step={100} />
        <NumberField path="turn_config.endpointing_max_ms" step={100} />
      </FieldGrid>
      <Switch {...field.checkbox('audio_config.noise_suppression')} />
      <Switch {...field.checkbox('turn_config.preemptive')} />
      <Switch {...field.checkbox('turn_config.interruptions_enabled')} />
      <FieldGrid>
        <NumberField path="turn_config.interruption_min_ms" step={100} disabled={isUninterruptible} />
        <NumberField path="turn_config.false_interruption_timeout_ms" step={100} disabled={isUninterruptible} />
      </FieldGrid>
    </Stack>
  )
}
