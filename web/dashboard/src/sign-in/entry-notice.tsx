import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A page without a form, for people who are not signed in. */
export const EntryNotice = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <Stack>
    <title>{`${title} · Parlance`}</title>
    <Title order={1} fz={22}>
      {title}
    </Title>
    <Text size="sm" component="div">
      {children}
    </Text>
  </Stack>
)
