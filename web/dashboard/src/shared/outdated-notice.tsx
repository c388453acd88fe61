import { Button, Group, Text } from '@mantine/core'
import { CloudOff } from 'lucide-react'
import { isNotFound, problemOf } from '../api/problem.js'

export interface OutdatedNoticeProps {
  /** Why the data could not be reloaded. */
  readonly error: unknown
  retry(): void
}

/** Shown above data that may be outdated. */
export const OutdatedNotice = ({ error, retry }: OutdatedNoticeProps) => (
  <Group role="status" gap="xs" wrap="nowrap" align="center">
    <CloudOff size={16} style={{ flex: 'none' }} />
    <Text size="sm" c="dimmed">
      Not up to date. {problemOf(error).detail}
    </Text>
    {!isNotFound(error) && (
      <Button size="compact-sm" variant="default" flex="none" onClick={retry}>
        Try again
      </Button>
    )}
  </Group>
)
