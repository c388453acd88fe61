import { Group, Text } from '@mantine/core'
import icon from '../icon.svg'

export const Brand = () => (
  <Group gap="xs" wrap="nowrap">
    <img src={icon} alt="" width={28} height={28} />
    <Text size="md" fw={650}>
      Parlance
    </Text>
  </Group>
)
