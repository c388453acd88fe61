import { Anchor, AppShell, Center, Container, Group, Paper, Stack } from '@mantine/core'
import { Outlet } from '@tanstack/react-router'
import { PageAnchor } from '../shared/links.js'
import { Brand } from './brand.js'
import { mainId, SkipLink } from './skip-link.js'

/** The frame of the pages for people who are not signed in. */
export const EntryLayout = () => (
  <Container size={440} py={{ base: 'xl', sm: 80 }} component="main" id={mainId}>
    <Stack gap="lg">
      <Center>
        <Brand />
      </Center>
      <Paper withBorder p="xl">
        <Outlet />
      </Paper>
    </Stack>
  </Container>
)

/** The frame of the pages that need no account: the work is done with a pasted key. */
export const OpenLayout = () => (
  <AppShell header={{ height: 56 }} padding={{ base: 'md', sm: 'xl' }}>
    <SkipLink />
    <AppShell.Header>
      <Group h="100%" px="md" justify="space-between" wrap="nowrap" maw={1144} mx="auto">
        <Brand />
        <Group component="nav" gap="md" aria-label="Pages" wrap="nowrap">
          <PageAnchor to="/try/speech" activeProps={{ 'aria-current': 'page' }}>
            Speech
          </PageAnchor>
          <PageAnchor to="/try/talk" activeProps={{ 'aria-current': 'page' }}>
            Talk
          </PageAnchor>
          <Anchor href="/docs/">Docs</Anchor>
        </Group>
      </Group>
    </AppShell.Header>
    <AppShell.Main id={mainId} tabIndex={-1}>
      <Outlet />
    </AppShell.Main>
  </AppShell>
)
