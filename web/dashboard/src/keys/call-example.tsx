import { Code, Stack, Text, Title } from '@mantine/core'
import { CopyField } from '../shared/copy-field.js'
import { keyVariable, useCallCommand } from './call-command.js'

/** A command that works here as soon as the variable has a key. */
export const CallExample = () => {
  const { command } = useCallCommand()
  return (
    <Stack gap="xs" component="section" aria-labelledby="call-example">
      <Title order={2} id="call-example">
        Call the API
      </Title>
      <Text size="sm">
        Set the variable with <Code>export {keyVariable}=awp_…</Code>, then run this command:
      </Text>
      <CopyField name="the command" value={command} />
    </Stack>
  )
}
