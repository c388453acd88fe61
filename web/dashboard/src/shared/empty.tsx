import { Paper, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface EmptyProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly children?: ReactNode
  /** The button that makes the first one. */
  readonly action?: ReactNode
}

/** Shown in place of a list that has nothing in it. */
export const Empty = ({ icon: Icon, title, children, action }: EmptyProps) => (
  <Paper withBorder p="xl">
    <Stack align="center" gap="sm" ta="center">
      <ThemeIcon variant="light" size="xl" radius="xl">
        <Icon size={20} />
      </ThemeIcon>
      <Title order={2}>{title}</Title>
      {children !== undefined && (
        <Text c="dimmed" maw={420}>
          {children}
        </Text>
      )}
      {action}
    </Stack>
  </Paper>
)
