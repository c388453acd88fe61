import { Button, Code, Group, Text } from '@mantine/core'

export interface KeptKeyProps {
  readonly value: string
  onForget(): void
}

/** The end of the key in use, and the way to remove it. */
export const KeptKey = ({ value, onForget }: KeptKeyProps) => (
  <Group gap="xs" wrap="nowrap">
    <Text size="sm">
      Key <Code id="key-end">…{value.slice(-4)}</Code>
    </Text>
    <Button id="forget-key" size="compact-sm" variant="default" onClick={onForget}>
      Forget
    </Button>
  </Group>
)
