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
import { FailedPage, FailedSignedInLayout, MissingPage } from '../layout/notices.js'
import { EntryLayout, OpenLayout } from '../layout/open-layout.js'
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

// biome-ignore lint/suspicious/noExplicitAny: as the router has it, a module may export other things than components.
type PageModule = Record<string, any>

const entryPage = <Path extends PagePath, Module extends PageModule>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module,
) =>
  createRoute({
    getParentRoute: () => entry,
    path,
    component: lazyRouteComponent(load, name),
    validateSearch: entrySearchOf,
  })

const entryPages = [
  entryPage('/sign-in', () => import('../sign-in/sign-in-page.js'), 'SignInPage'),
  entryPage('/forgot-password', () => import('../sign-in/forgot-password-page.js'), 'ForgotPasswordPage'),
  entryPage('/password', () => import('../sign-in/new-password-page.js'), 'NewPasswordPage'),
  entryPage('/invitation', () => import('../sign-in/invitation-page.js'), 'InvitationPage'),
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

/** A page of which `name` is the component. Its module is loaded when it is opened. */
const page = <Path extends PagePath, Module extends PageModule>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module,
  staticData: { leastRole?: Role; isForOperators?: true } = {},
) => createRoute({ getParentRoute: () => signedIn, path, component: lazyRouteComponent(load, name), staticData })

/** A page whose URL contains the filter. */
const filteredPage = <Path extends PagePath, Module extends PageModule, Filter extends object>(
  path: Path,
  load: () => Promise<Module>,
  name: keyof Module,
  validateSearch: (search: Record<string, unknown>) => Filter,
  staticData: { leastRole?: Role } = {},
) =>
  createRoute({
    getParentRoute: () => signedIn,
    path,
    component: lazyRouteComponent(load, name),
    validateSearch,
    staticData,
  })

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
  page('/get-started', () => import('../get-started/get-started-page.js'), 'GetStartedPage', { leastRole: 'admin' }),
  filteredPage('/agents', () => import('../agents/agents-page.js'), 'AgentsPage', agentFilterOf),
  page('/agents/new', () => import('../agents/new-agent-page.js'), 'NewAgentPage'),
  filteredPage('/agents/$agentId', () => import('../agents/agent-page.js'), 'AgentPage', sectionSearchOf),
  page('/agents/$agentId/history', () => import('../agents/history/agent-history-page.js'), 'AgentHistoryPage'),
  filteredPage(
    '/conversations',
    () => import('../conversations/conversations-page.js'),
    'ConversationsPage',
    conversationFilterOf,
  ),
  page('/conversations/$sessionId', () => import('../conversations/conversation-page.js'), 'ConversationPage'),
  page('/voices', () => import('../voices/voices-page.js'), 'VoicesPage'),
  page('/avatars', () => import('../avatars/avatars-page.js'), 'AvatarsPage'),
  page('/usage', () => import('../usage/usage-page.js'), 'UsagePage'),
  page('/playground/talk', () => import('../talk/talk-page.js'), 'TalkPage'),
  page('/model-providers', () => import('../model-providers/providers-page.js'), 'ProvidersPage', {
    leastRole: 'admin',
  }),
  page('/phone-numbers', () => import('../phone-numbers/phone-numbers-page.js'), 'PhoneNumbersPage', {
    leastRole: 'admin',
  }),
  page('/playground/speech', () => import('../speech/speech-page.js'), 'SpeechPage'),
  page('/keys', () => import('../keys/keys-page.js'), 'KeysPage', { leastRole: 'admin' }),
  page('/webhooks', () => import('../webhooks/webhooks-page.js'), 'WebhooksPage'),
  page('/webhooks/$webhookId', () => import('../webhooks/webhook-page.js'), 'WebhookPage'),
  page('/members', () => import('../members/members-page.js'), 'MembersPage'),
  filteredPage(
    '/audit-log',
    () => import('../audit-log/audit-log-page.js'),
    'AuditLogPage',
    // The page checks both: the names of all actions are loaded with it.
    searchOf({ action: z.string(), actor: z.string() }),
    { leastRole: 'admin' },
  ),
  page('/settings', () => import('../settings/settings-page.js'), 'SettingsPage'),
  page('/operator/workspaces', () => import('../operator/workspaces-page.js'), 'WorkspacesPage', {
    isForOperators: true,
  }),
  page('/operator/models', () => import('../models/models-page.js'), 'ModelsPage', { isForOperators: true }),
  page('/account', () => import('../account/account-page.js'), 'AccountPage'),
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
