import { Divider, NavLink, ScrollArea, Stack } from '@mantine/core'
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
  type LucideIcon,
  MessageCircle,
  MessagesSquare,
  Mic,
  Package,
  ScrollText,
  Settings,
  Users,
  Webhook,
} from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Role } from '../api/account.js'
import type { PagePath } from '../page-paths.js'
import { isAtLeast } from '../session/roles.js'
import { useSignedIn, useWorkspace, type Workspace } from '../session/signed-in.js'
import { PageNavLink } from '../shared/links.js'

interface Entry {
  readonly to: Exclude<PagePath, `${string}$${string}`>
  readonly label: string
  readonly icon: LucideIcon
  /** Others do not see the entry. */
  readonly leastRole?: Role
  /** Workspaces without it do not have the entry. */
  readonly capability?: Workspace['capabilities'][number]
}

/** The pages of a workspace, in the order in which they are shown. */
const entries: readonly Entry[] = [
  { to: '/agents', label: 'Agents', icon: Bot, capability: 'agents' },
  { to: '/playground/talk', label: 'Talk', icon: MessageCircle },
  { to: '/playground/speech', label: 'Speech', icon: AudioLines, capability: 'tts' },
  { to: '/conversations', label: 'Conversations', icon: MessagesSquare },
  { to: '/voices', label: 'Voices', icon: Mic },
  { to: '/avatars', label: 'Avatars', icon: CircleUser },
  { to: '/usage', label: 'Usage and credit', icon: ChartColumn },
  { to: '/model-providers', label: 'Model providers', icon: BrainCircuit, leastRole: 'admin' },
  { to: '/keys', label: 'API keys', icon: KeyRound, leastRole: 'admin' },
  { to: '/webhooks', label: 'Webhooks', icon: Webhook },
  { to: '/members', label: 'Members', icon: Users },
  { to: '/audit-log', label: 'Audit log', icon: ScrollText, leastRole: 'admin' },
  { to: '/settings', label: 'Settings', icon: Settings },
]

/** The pages of operators. Others do not see them. */
const operatorEntries: readonly Entry[] = [
  { to: '/operator/workspaces', label: 'Workspaces', icon: Building2 },
  { to: '/operator/models', label: 'Models', icon: Package },
]

/** Pages beside the dashboard. */
const others = [{ href: '/docs', label: 'API reference', icon: BookOpen }] as const

const iconSize = 18

/** The entries of the pages that exist and that the role permits. */
export const Navigation = ({ onNavigate }: { onNavigate(): void }) => {
  const { role, capabilities } = useWorkspace()
  const { is_operator } = useSignedIn()
  const permitted = entries
    .filter(({ leastRole = 'member' }) => isAtLeast(role, leastRole))
    .filter(({ capability }) => capability === undefined || capabilities.includes(capability))
  const linkTo = ({ to, label, icon: Icon }: Entry) => (
    <PageNavLink
      key={to}
      to={to}
      label={label}
      leftSection={<Icon aria-hidden size={iconSize} />}
      activeProps={{ active: true, 'aria-current': 'page' }}
      onClick={onNavigate}
      py={6}
    />
  )
  const list = useRef<HTMLDivElement>(null)
  const path = useLocation({ select: ({ pathname }) => pathname })
  // More entries than fit can be scrolled.
  useEffect(() => {
    list.current?.querySelector(`[href="${path}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [path])
  return (
    <ScrollArea component="nav" aria-label="Pages">
      <Stack gap={2} ref={list}>
        {permitted.map(linkTo)}
        {is_operator && <Divider my="xs" label="Operator" labelPosition="left" />}
        {is_operator && operatorEntries.map(linkTo)}
        <Divider my="xs" />
        {others.map(({ href, label, icon: Icon }) => (
          <NavLink key={href} href={href} label={label} leftSection={<Icon aria-hidden size={iconSize} />} py={6} />
        ))}
      </Stack>
    </ScrollArea>
  )
}
