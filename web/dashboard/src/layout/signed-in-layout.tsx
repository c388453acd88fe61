import { AppShell, Box, Burger, Button, Group, Menu, Stack, Text, useMantineTheme } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useMatches, useRouteContext } from '@tanstack/react-router'
import { Check, ChevronsUpDown, KeyRound } from 'lucide-react'
import { passwordFormId, signInWaysQuery } from '../account/sign-in-ways.js'
import { switchWorkspace } from '../session/current-workspace.js'
import { isAtLeast, roleNames } from '../session/roles.js'
import { useSignedIn, useWorkspace } from '../session/signed-in.js'
import { PageButton } from '../shared/links.js'
import { AccountMenu } from './account-menu.js'
import { Brand } from './brand.js'
import { Navigation } from './navigation.js'
import { NoWorkspacePage, RefusedPage } from './notices.js'
import { PageSearch } from './page-search.js'
import { mainId, SkipLink } from './skip-link.js'

/** The workspace in which the person acts, and the choice of another one. */
const WorkspaceMenu = () => {
  const { workspaces } = useSignedIn()
  const current = useWorkspace()
  return (
    <Menu width="target" position="bottom-start">
      <Menu.Target>
        <Button
          variant="default"
          fullWidth
          flex="none"
          justify="space-between"
          rightSection={<ChevronsUpDown />}
          aria-label={`Workspace: ${current.name}`}
        >
          <Text span inherit truncate>
            {current.name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Workspaces</Menu.Label>
        {workspaces.map(({ id, name, role }) => (
          <Menu.Item
            key={id}
            onClick={() => switchWorkspace(id)}
            rightSection={id === current.id ? <Check aria-label="chosen" /> : null}
          >
            <Text lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {roleNames[role]}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

/** For a person who signed in by a link, which works only once, and could not sign in again. */
const PasswordHint = () => {
  const { data: ways } = useQuery(signInWaysQuery)
  if (ways === undefined || ways.length > 0) return null
  return (
    <PageButton to="/account" hash={passwordFormId} size="xs" variant="light" px="sm">
      <Box visibleFrom="sm" mr={6} lh={0}>
        <KeyRound size={14} />
      </Box>
      Set a password
    </PageButton>
  )
}

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
