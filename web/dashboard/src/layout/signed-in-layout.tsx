import { AppShell, Burger, Group, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Outlet, useMatches, useRouteContext } from '@tanstack/react-router'
import { isAtLeast } from '../session/roles.js'
import { useWorkspace } from '../session/signed-in.js'
import { AccountMenu } from './account-menu.js'
import { Brand } from './brand.js'
import { Navigation } from './navigation.js'
import { NoWorkspacePage } from './no-workspace-page.js'
import { PasswordHint } from './password-hint.js'
import { RefusedPage } from './refused-page.js'
import { mainId, SkipLink } from './skip-link.js'
import { WorkspaceMenu } from './workspace-menu.js'

/** The page of the address, or that it is not for the role of the person. */
const PermittedPage = () => {
  const { role } = useWorkspace()
  const matches = useMatches()
  const leastRole = matches.at(-1)?.staticData.leastRole ?? 'member'
  return isAtLeast(role, leastRole) ? <Outlet /> : <RefusedPage />
}

/** The frame of the pages for people who are signed in: navigation at the side, which is a drawer on a phone. */
export const SignedInLayout = () => {
  const { workspace } = useRouteContext({ from: '/signed-in' })
  const [isOpen, { toggle, close }] = useDisclosure(false)
  if (workspace === undefined) return <NoWorkspacePage />
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 240, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <SkipLink />
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Burger
              opened={isOpen}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={isOpen ? 'Close the navigation' : 'Open the navigation'}
              aria-expanded={isOpen}
            />
            <Brand />
          </Group>
          <Group gap="sm" wrap="nowrap">
            <PasswordHint />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="md">
        <Stack gap="md" mih={0}>
          <WorkspaceMenu />
          <Navigation onNavigate={close} />
        </Stack>
      </AppShell.Navbar>
      <AppShell.Main id={mainId} tabIndex={-1}>
        <PermittedPage />
      </AppShell.Main>
    </AppShell>
  )
}
