import { Group, Radio, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { UserRoundX } from 'lucide-react'
import { useAvatars } from '../../avatars/avatar-queries.js'
import { Loaded } from '../../shared/loaded.js'
import { useField } from './agent-form.js'
import { JsonField } from './field-grid.js'
import classes from './general-fields.module.css'

/** The face of the Agent, or none. */
const AvatarPicker = () => {
  const field = useField()
  const avatars = useAvatars()
  return (
    <Radio.Group {...field.choice('avatar_id')}>
      <Loaded query={avatars}>
        {(listed) => (
          <Group gap="xs" mt={4}>
            <Radio.Card value="" className={classes.avatar} aria-label="No avatar">
              <UserRoundX className={classes.picture} strokeWidth={1} />
              <Text size="xs">None</Text>
            </Radio.Card>
            {listed.map(({ id, display_name, thumbnail_url }) => (
              <Radio.Card key={id} value={id} className={classes.avatar} aria-label={display_name}>
                <img src={thumbnail_url} alt="" className={classes.picture} />
                <Text size="xs" truncate>
                  {display_name}
                </Text>
              </Radio.Card>
            ))}
          </Group>
        )}
      </Loaded>
    </Radio.Group>
  )
}

export const GeneralFields = () => {
  const field = useField()
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput {...field.input('display_name')} dir="auto" />
        <TextInput {...field.input('slug')} spellCheck={false} />
      </SimpleGrid>
      <Textarea {...field.input('description')} minRows={2} maxRows={4} dir="auto" />
      <AvatarPicker />
      <JsonField {...field.choice('metadata')} formatOnBlur minRows={2} maxRows={12} />
    </Stack>
  )
}
