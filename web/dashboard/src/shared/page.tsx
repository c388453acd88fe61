import { Group, Stack, Text, Title } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'

interface PageProps {
  readonly title: string
  /** One sentence below the title. */
  readonly description?: ReactNode
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly children?: ReactNode
}

/** Titles may be names with words that are wider than a phone. */
const breakingAnywhere: CSSProperties = { overflowWrap: 'anywhere' }

/** The frame of every page: its title, also in the tab of the browser, and its content. */
export const Page = ({ title, description, actions, children }: PageProps) => (
  <Stack gap="lg" maw={1080} mx="auto">
    <title>{`${title} · Parlance`}</title>
    <Group justify="space-between" align="flex-start" gap="sm">
      <Stack gap={4} miw={0}>
        <Title order={1} dir="auto" style={breakingAnywhere}>
          {title}
        </Title>
        {description !== undefined && (
          <Text c="dimmed" maw={640}>
            {description}
          </Text>
        )}
      </Stack>
      {actions !== undefined && <Group gap="xs">{actions}</Group>}
    </Group>
    {children}
  </Stack>
)
