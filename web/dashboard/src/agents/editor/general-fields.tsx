import { SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core'
import { useField } from './agent-form.js'
import { AvatarPicker } from './avatar-picker.js'
import { inputAboveHelp } from './field-grid.js'
import { JsonField } from './json-field.js'

export const GeneralFields = () => {
  const field = useField()
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput {...field.input('display_name')} autoComplete="off" dir="auto" inputWrapperOrder={inputAboveHelp} />
        <TextInput {...field.input('slug')} autoComplete="off" spellCheck={false} inputWrapperOrder={inputAboveHelp} />
      </SimpleGrid>
      <Textarea {...field.input('description')} autosize minRows={2} maxRows={4} dir="auto" />
      <AvatarPicker />
      <JsonField {...field.choice('metadata')} formatOnBlur minRows={2} maxRows={12} />
    </Stack>
  )
}
