import { AppShell, Burger, Group, Stack, useMantineTheme } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { Outlet, useMatches, useRouteContext } from '@tanstack/react-router'
import { isAtLeast } from '../session/roles.js'
import { useSignedIn, useWorkspace } from '../session/signed-in.js'
import { AccountMenu } from './account-menu.js'
import { Brand } from './brand.js'
import { Navigation } from './navigation.js'
import { NoWorkspacePage } from './no-workspace-page.js'
import { PageSearch } from './page-search.js'
import { PasswordHint } from './password-hint.js'
import { RefusedPage } from './refused-page.js'
import { mainId, SkipLink } from './skip-link.js'
import { WorkspaceMenu } from './workspace-menu.js'

/** The page of the URL, or a notice that the person may not see it. */
const PermittedPage = () => {
  const { role } = useWorkspace()
  const { is_operator } = useSignedIn()
  const { leastRole = 'member', isForOperators = false } = useMatches().at(-1)?.staticData ?? {}
  if (isForOperators && !is_operator) return <RefusedPage isForOperators />
  return isAtLeast(role, leastRole) ? <Outlet /> : <RefusedPage />
}

/** The frame of the pages for people who are signed in: navigation at the side, which is a drawer on a phone. */
export const SignedInLayout = () => {
  const { workspace } = useRouteContext({ from: '/signed-in' })
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const { breakpoints } = useMantineTheme()
  const isDrawer = useMediaQuery(`(width < ${breakpoints.sm})`, false, { getInitialValueInEffect: false })
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
            <PageSearch />
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      {/* The keyboard does not reach a drawer that is closed. */}
      <AppShell.Navbar p="md" inert={isDrawer && !isOpen}>
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
