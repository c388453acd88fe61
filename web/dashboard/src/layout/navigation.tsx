import { Divider, NavLink, ScrollArea, Stack, Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import {
  AudioLines,
  BookOpen,
  Bot,
  BrainCircuit,
  Building2,
  ChartColumn,
  CircleUser,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  MessageCircle,
  MessagesSquare,
  Mic,
  Package,
  Phone,
  Rocket,
  ScrollText,
  Settings,
  Users,
  Webhook,
} from 'lucide-react'
import { Fragment, useEffect, useRef } from 'react'
import type { Role } from '../api/account.js'
import { isStarted } from '../get-started/started.js'
import type { PagePath } from '../page-paths.js'
import { isAtLeast } from '../session/roles.js'
import { useSignedIn, useWorkspace, type Workspace } from '../session/signed-in.js'
import { PageNavLink } from '../shared/links.js'

interface Entry {
  readonly to: Exclude<PagePath, `${string}$${string}`>
  readonly label: string
  readonly icon: LucideIcon
  /** The role that sees the entry. */
  readonly leastRole?: Role
  /** The capability that a workspace needs for the entry. */
  readonly capability?: Workspace['capabilities'][number]
  /** Only until the list was finished or closed. */
  readonly untilStarted?: true
}

interface PageGroup {
  readonly label: string
  readonly entries: readonly Entry[]
}

/** The pages of a workspace, in the order in which they are shown. */
const groups: readonly PageGroup[] = [
  {
    label: 'Build',
    entries: [
      {
        to: '/get-started',
        label: 'Get started',
        icon: Rocket,
        leastRole: 'admin',
        capability: 'agents',
        untilStarted: true,
      },
      { to: '/agents', label: 'Agents', icon: Bot, capability: 'agents' },
      { to: '/playground/talk', label: 'Talk', icon: MessageCircle },
      { to: '/playground/speech', label: 'Speech', icon: AudioLines, capability: 'tts' },
      { to: '/voices', label: 'Voices', icon: Mic },
      { to: '/avatars', label: 'Avatars', icon: CircleUser },
      { to: '/model-providers', label: 'Model providers', icon: BrainCircuit, leastRole: 'admin' },
      { to: '/phone-numbers', label: 'Phone numbers', icon: Phone, leastRole: 'admin', capability: 'agents' },
    ],
  },
  {
    label: 'Observe',
    entries: [
      { to: '/', label: 'Overview', icon: LayoutDashboard },
      { to: '/conversations', label: 'Conversations', icon: MessagesSquare },
      { to: '/usage', label: 'Usage and credit', icon: ChartColumn },
      { to: '/audit-log', label: 'Audit log', icon: ScrollText, leastRole: 'admin' },
    ],
  },
  {
    label: 'Workspace',
    entries: [
      { to: '/keys', label: 'API keys', icon: KeyRound, leastRole: 'admin' },
      { to: '/webhooks', label: 'Webhooks', icon: Webhook },
      { to: '/members', label: 'Members', icon: Users },
      { to: '/settings', label: 'Settings', icon: Settings },
    ],
  },
]

/** The pages of operators. Others do not see them. */
const operatorGroup: PageGroup = {
  label: 'Operator',
  entries: [
    { to: '/operator/workspaces', label: 'Workspaces', icon: Building2 },
    { to: '/operator/models', label: 'Models', icon: Package },
  ],
}

const iconSize = 18

/** The groups of pages that exist for the person's role and the workspace. */
export const usePermittedPages = (): readonly PageGroup[] => {
  const { role, capabilities } = useWorkspace()
  const { is_operator } = useSignedIn()
  const permitted = groups.map(({ label, entries }) => ({
    label,
    entries: entries
      .filter(({ leastRole = 'member' }) => isAtLeast(role, leastRole))
      .filter(({ untilStarted }) => !untilStarted || !isStarted())
      .filter(({ capability }) => capability === undefined || capabilities.includes(capability)),
  }))
  return is_operator ? [...permitted, operatorGroup] : permitted
}

/** Links to the pages, in groups. */
export const Navigation = ({ onNavigate }: { onNavigate(): void }) => {
  const list = useRef<HTMLDivElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  // More entries than fit can be scrolled.
  useEffect(() => {
    list.current?.querySelector(`[href="${path}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [path])
  return (
    <ScrollArea component="nav" aria-label="Pages">
      <Stack gap={2} ref={list}>
        {usePermittedPages().map(({ label: group, entries }) => (
          <Fragment key={group}>
            <Text size="xs" c="dimmed" fw={600} px="sm" mt="xs">
              {group}
            </Text>
            {entries.map(({ to, label, icon: Icon }) => (
              <PageNavLink
                key={to}
                to={to}
                label={label}
                leftSection={<Icon size={iconSize} />}
                activeOptions={{ exact: to === '/' }}
                activeProps={{ active: true, 'aria-current': 'page' }}
                onClick={onNavigate}
                py={5}
              />
            ))}
          </Fragment>
        ))}
        <Divider my="xs" />
        <NavLink href="/docs/" label="Documentation" leftSection={<BookOpen size={iconSize} />} py={5} />
      </Stack>
    </ScrollArea>
  )
}
