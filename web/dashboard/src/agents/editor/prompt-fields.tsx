import { Stack, Switch, Textarea } from '@mantine/core'
import { NoModelNotice } from '../../model-providers/no-model-notice.js'
import { useAgentFormContext, useField } from './agent-form.js'

export const PromptFields = () => {
  const field = useField()
  const { values } = useAgentFormContext()
  return (
    <Stack>
      <NoModelNotice provider={values.llm_provider} />
      <Textarea {...field.input('system_prompt')} minRows={7} maxRows={24} dir="auto" />
      <Textarea {...field.input('first_message')} minRows={2} maxRows={6} dir="auto" />
      <Switch {...field.checkbox('first_message_interruptible')} />
    </Stack>
  )
}
