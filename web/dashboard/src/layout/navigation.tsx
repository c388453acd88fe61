import { Divider, NavLink, ScrollArea, Stack } from '@mantine/core'
import {
  AudioLines,
  BookOpen,
  Bot,
  ChartColumn,
  CircleUser,
  KeyRound,
  type LucideIcon,
  MessageCircle,
  MessagesSquare,
  Mic,
  ScrollText,
  Users,
  Webhook,
} from 'lucide-react'
import type { Role } from '../api/account.js'
import type { PagePath } from '../page-paths.js'
import { isAtLeast } from '../session/roles.js'
import { useWorkspace, type Workspace } from '../session/signed-in.js'
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
  { to: '/conversations', label: 'Conversations', icon: MessagesSquare },
  { to: '/voices', label: 'Voices', icon: Mic },
  { to: '/avatars', label: 'Avatars', icon: CircleUser },
  { to: '/usage', label: 'Usage and credit', icon: ChartColumn },
  { to: '/keys', label: 'API keys', icon: KeyRound, leastRole: 'admin' },
  { to: '/webhooks', label: 'Webhooks', icon: Webhook },
  { to: '/members', label: 'Members', icon: Users },
  { to: '/audit-log', label: 'Audit log', icon: ScrollText, leastRole: 'admin' },
]

/** Pages beside the dashboard. */
const others = [
  { href: '/play', label: 'Play', icon: AudioLines },
  { href: '/docs', label: 'API reference', icon: BookOpen },
] as const

const iconSize = 18

/** The entries of the pages that exist and that the role permits. */
export const Navigation = ({ onNavigate }: { onNavigate(): void }) => {
  const { role, capabilities } = useWorkspace()
  return (
    <ScrollArea component="nav" aria-label="Pages">
      <Stack gap={2}>
        {entries
          .filter(({ leastRole = 'member' }) => isAtLeast(role, leastRole))
          .filter(({ capability }) => capability === undefined || capabilities.includes(capability))
          .map(({ to, label, icon: Icon }) => (
            <PageNavLink
              key={to}
              to={to}
              label={label}
              leftSection={<Icon aria-hidden size={iconSize} />}
              activeProps={{ active: true, 'aria-current': 'page' }}
              onClick={onNavigate}
            />
          ))}
        <Divider my="xs" />
        {others.map(({ href, label, icon: Icon }) => (
          <NavLink key={href} href={href} label={label} leftSection={<Icon aria-hidden size={iconSize} />} />
        ))}
      </Stack>
    </ScrollArea>
  )
}
