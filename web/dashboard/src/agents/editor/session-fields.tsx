import { MultiSelect, Stack, Switch } from '@mantine/core'
import { useField } from './agent-form.js'
import { FieldGrid, NumberField } from './field-grid.js'
import { ListField } from './list-field.js'

const overrides = [
  { value: 'system_prompt', label: 'System prompt' },
  { value: 'first_message', label: 'First message' },
  { value: 'voice_id', label: 'Voice' },
  { value: 'language', label: 'Language' },
]

export const SessionFields = () => {
  const field = useField()
  return (
    <Stack>
      <FieldGrid>
        <NumberField path="session_config.max_duration_seconds" step={60} />
        <NumberField path="session_config.silence_timeout_seconds" step={10} />
        <NumberField path="session_config.max_concurrent_sessions" />
      </FieldGrid>
      <ListField path="session_config.allowed_origins" />
      <MultiSelect {...field.choice('session_config.overrides')} data={overrides} clearable />
      <Switch {...field.checkbox('session_config.store_transcript')} />
    </Stack>
  )
}
