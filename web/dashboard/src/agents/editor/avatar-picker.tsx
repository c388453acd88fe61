import { Group, Radio, Text } from '@mantine/core'
import { UserRoundX } from 'lucide-react'
import { useAvatars } from '../../avatars/avatar-queries.js'
import { Loaded } from '../../shared/loaded.js'
import { useField } from './agent-form.js'
import classes from './avatar-picker.module.css'

/** The face of the Agent, or none. */
export const AvatarPicker = () => {
  const field = useField()
  const avatars = useAvatars()
  return (
    <Radio.Group {...field.choice('avatar_id')}>
      <Loaded query={avatars}>
        {(listed) => (
          <Group gap="xs" mt={4}>
            <Radio.Card value="" className={classes.avatar} aria-label="No avatar">
              <UserRoundX aria-hidden className={classes.picture} strokeWidth={1} />
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
