import { Button, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { CopyField } from '../shared/copy-field.js'

export interface SecretShownProps {
  readonly secret: string
  readonly children?: ReactNode
  onDone(): void
}

/** A new secret, which is shown this once. */
export const SecretShown = ({ secret, children, onDone }: SecretShownProps) => (
  <Stack>
    <Text size="sm">
      Copy the secret now. It is shown this once and cannot be read again. Your receiver verifies requests with it.
    </Text>
    <CopyField name="the secret" value={secret} />
    {children}
    <Group justify="flex-end">
      <Button onClick={onDone}>Done</Button>
    </Group>
  </Stack>
)
