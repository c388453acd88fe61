import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import * as z from 'zod/mini'
import { agentFilterOf } from '../agents/agent-filter.js'
import { sectionSearchOf } from '../agents/sections.js'
import type { Role } from '../api/account.js'
import { conversationFilterOf } from '../conversations/conversation-filter.js'
import { isStarted } from '../get-started/started.js'
import { EntryLayout } from '../layout/entry-layout.js'
import { FailedPage, FailedSignedInLayout, MissingPage } from '../layout/notices.js'
import { OpenLayout } from '../layout/open-layout.js'
import { SignedInLayout } from '../layout/signed-in-layout.js'
import type { PagePath } from '../page-paths.js'
import { requireSignedIn } from '../session/require-signed-in.js'
import { isAtLeast } from '../session/roles.js'
import { Loading } from '../shared/loaded.js'
import { searchOf } from '../shared/search.js'
import { queryClient } from './query-client.js'

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface StaticDataRouteOption {
    /** The role that a person needs for the page. Others see that it is not for them. */
    leastRole?: Role
    /** Whether the page is for operators alone. */
    isForOperators?: true
  }
}

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({ notFoundComponent: MissingPage })

/** The pages for people who are not signed in. */
const entry = createRoute({ getParentRoute: () => root, id: 'entry', component: EntryLayout })

/** The parameters of links: where to go after the sign-in, the secret of the link, and why another link failed. */
const entrySearchOf = searchOf({ next: z.string(), token: z.string(), id: z.string(), error: z.string() })

const entryPage = <Path extends PagePath>(path: Path, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => entry, path, component, validateSearch: entrySearchOf })

const entryPages = [
  entryPage(
    '/sign-in',
    lazyRouteComponent(() => import('../sign-in/sign-in-page.js'), 'SignInPage'),
  ),
  entryPage(
    '/forgot-password',
    lazyRouteComponent(() => import('../sign-in/forgot-password-page.js'), 'ForgotPasswordPage'),
  ),
  entryPage(
    '/password',
    lazyRouteComponent(() => import('../sign-in/new-password-page.js'), 'NewPasswordPage'),
  ),
  entryPage(
    '/invitation',
    lazyRouteComponent(() => import('../sign-in/invitation-page.js'), 'InvitationPage'),
  ),
] as const

/** The pages that need no account, but a key. */
const open = createRoute({ getParentRoute: () => root, id: 'open', component: OpenLayout })

const openPages = [
  createRoute({
    getParentRoute: () => open,
    path: '/try/talk',
    component: lazyRouteComponent(() => import('../keyed/keyed-talk-page.js'), 'KeyedTalkPage'),
  }),
  createRoute({
    getParentRoute: () => open,
    path: '/try/speech',
    component: lazyRouteComponent(() => import('../keyed/keyed-speech-page.js'), 'KeyedSpeechPage'),
  }),
] as const

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: SignedInLayout,
  errorComponent: FailedSignedInLayout,
  beforeLoad: ({ context, location }) => requireSignedIn(context.queryClient, location),
})

const page = <Path extends PagePath>(
  path: Path,
  component: ReturnType<typeof lazyRouteComponent>,
  staticData: { leastRole?: Role; isForOperators?: true } = {},
) => createRoute({ getParentRoute: () => signedIn, path, component, staticData })

/** A page whose URL contains the filter. */
const filteredPage = <Path extends PagePath, Filter extends object>(
  path: Path,
  component: ReturnType<typeof lazyRouteComponent>,
  validateSearch: (search: Record<string, unknown>) => Filter,
  staticData: { leastRole?: Role } = {},
) => createRoute({ getParentRoute: () => signedIn, path, component, validateSearch, staticData })

const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad({ context: { workspace } }) {
    if (workspace === undefined || isStarted()) return
    const { capabilities, role } = workspace
    if (isAtLeast(role, 'admin') && capabilities.includes('agents'))
      throw redirect({ to: '/get-started', replace: true })
  },
  component: lazyRouteComponent(() => import('../overview/overview-page.js'), 'OverviewPage'),
})

const pages = [
  overview,
  page(
    '/get-started',
    lazyRouteComponent(() => import('../get-started/get-started-page.js'), 'GetStartedPage'),
    { leastRole: 'admin' },
  ),
  filteredPage(
    '/agents',
    lazyRouteComponent(() => import('../agents/agents-page.js'), 'AgentsPage'),
    agentFilterOf,
  ),
  page(
    '/agents/new',
    lazyRouteComponent(() => import('../agents/new-agent-page.js'), 'NewAgentPage'),
  ),
  filteredPage(
    '/agents/$agentId',
    lazyRouteComponent(() => import('../agents/agent-page.js'), 'AgentPage'),
    sectionSearchOf,
  ),
  page(
    '/agents/$agentId/history',
    lazyRouteComponent(() => import('../agents/history/agent-history-page.js'), 'AgentHistoryPage'),
  ),
  filteredPage(
    '/conversations',
    lazyRouteComponent(() => import('../conversations/conversations-page.js'), 'ConversationsPage'),
    conversationFilterOf,
  ),
  page(
    '/conversations/$sessionId',
    lazyRouteComponent(() => import('../conversations/conversation-page.js'), 'ConversationPage'),
  ),
  page(
    '/voices',
    lazyRouteComponent(() => import('../voices/voices-page.js'), 'VoicesPage'),
  ),
  page(
    '/avatars',
    lazyRouteComponent(() => import('../avatars/avatars-page.js'), 'AvatarsPage'),
  ),
  page(
    '/usage',
    lazyRouteComponent(() => import('../usage/usage-page.js'), 'UsagePage'),
  ),
  page(
    '/playground/talk',
    lazyRouteComponent(() => import('../talk/talk-page.js'), 'TalkPage'),
  ),
  page(
    '/model-providers',
    lazyRouteComponent(() => import('../model-providers/providers-page.js'), 'ProvidersPage'),
    { leastRole: 'admin' },
  ),
  page(
    '/playground/speech',
    lazyRouteComponent(() => import('../speech/speech-page.js'), 'SpeechPage'),
  ),
  page(
    '/keys',
    lazyRouteComponent(() => import('../keys/keys-page.js'), 'KeysPage'),
    { leastRole: 'admin' },
  ),
  page(
    '/webhooks',
    lazyRouteComponent(() => import('../webhooks/webhooks-page.js'), 'WebhooksPage'),
  ),
  page(
    '/webhooks/$webhookId',
    lazyRouteComponent(() => import('../webhooks/webhook-page.js'), 'WebhookPage'),
  ),
  page(
    '/members',
    lazyRouteComponent(() => import('../members/members-page.js'), 'MembersPage'),
  ),
  filteredPage(
    '/audit-log',
    lazyRouteComponent(() => import('../audit-log/audit-log-page.js'), 'AuditLogPage'),
    // The page checks both: the names of all actions are loaded with it.
    searchOf({ action: z.string(), actor: z.string() }),
    { leastRole: 'admin' },
  ),
  page(
    '/settings',
    lazyRouteComponent(() => import('../settings/settings-page.js'), 'SettingsPage'),
  ),
  page(
    '/operator/workspaces',
    lazyRouteComponent(() => import('../operator/workspaces-page.js'), 'WorkspacesPage'),
    { isForOperators: true },
  ),
  page(
    '/operator/models',
    lazyRouteComponent(() => import('../models/models-page.js'), 'ModelsPage'),
    { isForOperators: true },
  ),
  page(
    '/account',
    lazyRouteComponent(() => import('../account/account-page.js'), 'AccountPage'),
  ),
] as const

export const router = createRouter({
  routeTree: root.addChildren([
    entry.addChildren(entryPages),
    open.addChildren(openPages),
    signedIn.addChildren(pages),
  ]),
  context: { queryClient },
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultPendingComponent: Loading,
  defaultErrorComponent: FailedPage,
  scrollRestoration: true,
})
