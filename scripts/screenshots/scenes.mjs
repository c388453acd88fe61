// Every page of the dashboard in every state: the path, the answers that the page gets, and what a person does.
import { click } from './actions.mjs'
import { agentHistoryScenes } from './agent-history-scenes.mjs'
import { agentScenes } from './agent-scenes.mjs'
import { at, failed, id, longName, rightToLeft, signedInAs } from './answers.mjs'
import { catalogScenes } from './catalog-scenes.mjs'
import { conversationListScenes } from './conversation-list-scenes.mjs'
import { evaluationScenes } from './evaluation-scenes.mjs'
import { knowledgeScenes } from './knowledge-scenes.mjs'
import { operationScenes } from './operation-scenes.mjs'
import { phoneScenes } from './phone-scenes.mjs'
import { providerScenes } from './provider-scenes.mjs'
import { pageOf } from './record-answers.mjs'
import { recordScenes } from './record-scenes.mjs'
import { speechScenes } from './speech-scenes.mjs'
import { toolScenes } from './tool-scenes.mjs'
import { webhookScenes } from './webhook-scenes.mjs'

const withoutPassword = { ...signedInAs('owner'), '/dashboard/auth/list-accounts': { body: [] } }

const key = (number, label, more = {}) => ({
  id: id(number),
  workspace_id: id(1),
  label,
  prefix: `awp_dev_${String(number).padStart(4, 'x')}`,
  status: 'active',
  created_at: at(number),
  last_used_at: number % 3 === 0 ? null : at(number / 24),
  revoked_at: null,
  ...more,
})
const keys = [key(1, 'Web site'), key(2, rightToLeft), key(3, longName), key(4, 'Old', { status: 'revoked' })]
const manyKeys = Array.from({ length: 1_000 }, (_, index) => key(index + 1, `Backend ${index + 1}`))
const withKeys = (body) => ({ ...signedInAs('owner'), '/dashboard/api/keys': body })

const member = (number, name, role) => ({
  id: id(number),
  userId: id(number),
  role,
  createdAt: at(number),
  user: { name, email: `${role}-${number}@example.com` },
})
const members = [member(10, 'Ada Lovelace', 'owner'), member(11, rightToLeft, 'admin'), member(12, longName, 'member')]
const manyMembers = Array.from({ length: 200 }, (_, index) => member(100 + index, `Member ${index + 1}`, 'member'))
const invitation = {
  id: id(20),
  email: 'grace.brewster.murray.hopper@a-long-name-of-a-company.example.com',
  role: 'member',
  status: 'pending',
  expiresAt: at(-7),
}
const withMembers = (role, list = { body: { members } }) => ({
  ...signedInAs(role),
  '/dashboard/auth/organization/list-members': list,
  '/dashboard/auth/organization/list-invitations': { body: [invitation] },
  '/dashboard/auth/organization/invite-member': { body: invitation },
})

const withMailServer = (sends_mail) => ({
  ...withMembers('owner'),
  '/dashboard/api/identity-providers': { body: { providers: [], passkeys: false, sends_mail } },
})
const invite = (shown) => async (page) => {
  await click('Invite')(page)
  await page.getByLabel('E-mail').fill('grace@example.com')
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
  await page.getByText(shown).waitFor()
}

const entry = (number, action, actor, details) => ({
  id: id(number),
  action,
  actor,
  details,
  created_at: at(number / 5),
})
const entries = [
  entry(1, 'api_key.created', { kind: 'person', id: id(10), name: 'Ada Lovelace' }, { key_id: id(1), label: longName }),
  entry(
    2,
    'member.role_changed',
    { kind: 'person', id: id(12), name: longName },
    { email: invitation.email, role: 'admin' },
  ),
  entry(3, 'credit.granted', { kind: 'operator', id: null, name: null }, { amount: '100', reference: 'invoice-17' }),
]
const manyEntries = Array.from({ length: 200 }, (_, index) => ({ ...entries[index % 3], id: id(300 + index) }))
const withAuditLog = (body) => ({ ...signedInAs('owner'), '/dashboard/api/audit-log': body })

const agent = (number, display_name, more = {}) => ({ id: id(number), display_name, api_ready: true, ...more })
const withAgents = (body) => ({ ...signedInAs('member'), '/dashboard/api/v1/agents': body })
const agents = [agent(30, 'Front desk'), agent(31, rightToLeft), agent(32, longName)]

const invited = (has_account, email = 'grace@example.com') => ({
  [`/dashboard/api/invitations/${id(20)}`]: { body: { email, workspace: 'Acme', has_account } },
})

const withProvider = { '/dashboard/api/identity-providers': { body: { providers: [{ id: 'oidc', name: 'Acme' }] } } }

const accountFailed = { '/dashboard/auth/list-sessions': failed, '/dashboard/auth/list-accounts': failed }
const passkeysTooOld = {
  '/dashboard/api/identity-providers': { body: { providers: [], passkeys: true } },
  '/dashboard/auth/passkey/list-user-passkeys': { body: [] },
  '/dashboard/auth/passkey/generate-register-options': {
    status: 403,
    body: { code: 'forbidden_role', detail: 'Session is not fresh.', retryable: false },
  },
}

export const scenes = [
  { name: 'sign-in', path: '/sign-in', answers: {} },
  { name: 'sign-in-used-link', path: '/sign-in?error=link', answers: {} },
  {
    name: 'sign-in-refused',
    path: '/sign-in',
    answers: {
      '/dashboard/auth/sign-in/email': {
        status: 401,
        body: { code: 'unauthorized', detail: 'Invalid email or password.' },
      },
    },
    async act(page) {
      await page.getByLabel('E-mail').fill('ada@example.com')
      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await click('Sign in')(page)
      await page.getByText('Invalid email or password.').waitFor()
    },
  },
  { name: 'sign-in-provider', path: '/sign-in?error=not_invited', answers: withProvider },
  { name: 'forgot-password', path: '/forgot-password', answers: {} },
  { name: 'new-password', path: '/password?token=abc', answers: {} },
  { name: 'new-password-incomplete', path: '/password', answers: {} },
  { name: 'invitation-new', path: `/invitation?id=${id(20)}`, answers: invited(false) },
  { name: 'invitation-known', path: `/invitation?id=${id(20)}`, answers: invited(true) },
  {
    name: 'invitation-provider',
    path: `/invitation?id=${id(20)}`,
    answers: { ...invited(false), ...withProvider },
  },
  {
    name: 'invitation-signed-in',
    path: `/invitation?id=${id(20)}`,
    answers: { ...signedInAs('owner'), ...invited(true, 'ada@example.com') },
  },
  { name: 'no-workspace', path: '/', answers: signedInAs('owner', []) },
  { name: 'missing', path: '/nothing', answers: signedInAs('owner') },
  ...agentScenes,
  ...agentHistoryScenes,
  ...toolScenes,
  ...evaluationScenes,
  ...knowledgeScenes,
  ...providerScenes,
  ...phoneScenes,
  {
    name: 'search',
    path: '/keys',
    answers: { ...withKeys(pageOf('keys', keys)), '/dashboard/api/v1/agents': { body: { agents, next_cursor: null } } },
    async act(page) {
      await page.getByRole('heading', { name: 'API keys' }).waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'keys', path: '/keys', answers: withKeys(pageOf('keys', keys)) },
  { name: 'keys-empty', path: '/keys', answers: withKeys(pageOf('keys', [])) },
  { name: 'keys-loading', path: '/keys', answers: withKeys('pending') },
  {
    name: 'keys-failed',
    path: '/keys',
    answers: withKeys(failed),
  },
  { name: 'keys-many', path: '/keys', answers: withKeys(pageOf('keys', manyKeys.slice(0, 50), 'next')) },
  { name: 'keys-refused', path: '/keys', answers: signedInAs('member') },
  { name: 'keys-create', path: '/keys', answers: withKeys(pageOf('keys', keys)), act: click('Create a key') },
  { name: 'keys-revoke', path: '/keys', answers: withKeys(pageOf('keys', keys)), act: click('Revoke Web site') },
  { name: 'navigation', path: '/keys', answers: withKeys(pageOf('keys', keys)), act: openNavigation },
  { name: 'account-menu', path: '/keys', answers: withKeys(pageOf('keys', keys)), act: click('Your account') },
  { name: 'members', path: '/members', answers: withMembers('owner') },
  { name: 'members-as-member', path: '/members', answers: withMembers('member') },
  { name: 'members-loading', path: '/members', answers: withMembers('owner', 'pending') },
  { name: 'members-invited', path: '/members', answers: withMailServer(false), act: invite('Send this link to') },
  { name: 'members-mailed', path: '/members', answers: withMailServer(true), act: invite('A mail with a link') },
  { name: 'members-remove', path: '/members', answers: withMembers('owner'), act: click(`Remove ${longName}`) },
  { name: 'members-failed', path: '/members', answers: withMembers('owner', failed) },
  { name: 'members-many', path: '/members', answers: withMembers('owner', { body: { members: manyMembers } }) },
  { name: 'audit-log-loading', path: '/audit-log', answers: withAuditLog('pending') },
  { name: 'audit-log-failed', path: '/audit-log', answers: withAuditLog(failed) },
  {
    name: 'audit-log-many',
    path: '/audit-log',
    answers: withAuditLog({ body: { entries: manyEntries, next_cursor: 'next' } }),
  },
  { name: 'page-failed', path: '/keys', answers: { ...signedInAs('owner'), '/dashboard/api/signed-in': failed } },
  { name: 'audit-log', path: '/audit-log', answers: withAuditLog({ body: { entries, next_cursor: 'next' } }) },
  { name: 'audit-log-empty', path: '/audit-log', answers: withAuditLog({ body: { entries: [], next_cursor: null } }) },
  { name: 'talk', path: '/playground/talk', answers: withAgents({ body: { agents, next_cursor: null } }) },
  { name: 'talk-loading', path: '/playground/talk', answers: withAgents('pending') },
  { name: 'talk-empty', path: '/playground/talk', answers: withAgents({ body: { agents: [], next_cursor: null } }) },
  { name: 'talk-failed', path: '/playground/talk', answers: withAgents(failed) },
  {
    name: 'talk-consent',
    path: '/playground/talk',
    answers: {
      ...withAgents({ body: { agents, next_cursor: null } }),
      [`/dashboard/api/agents/${id(30)}/recording`]: {
        body: { settings: { enabled: true, consent_required: true, retention_days: 7 }, available: true },
      },
    },
    act: (page) => page.getByLabel('Record this conversation').waitFor(),
  },
  {
    name: 'talk-devices',
    path: '/playground/talk',
    answers: withAgents({ body: { agents, next_cursor: null } }),
    act: click('Microphone and speaker'),
  },
  {
    name: 'talk-refused',
    path: '/playground/talk',
    answers: withAgents({ body: { agents, next_cursor: null } }),
    async act(page) {
      await click('Start')(page)
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'talk-key', path: '/try/talk', answers: {} },
  { name: 'account', path: '/account', answers: signedInAs('owner') },
  { name: 'account-failed', path: '/account', answers: { ...signedInAs('owner'), ...accountFailed } },
  {
    name: 'account-passkey-too-old',
    path: '/account',
    answers: { ...signedInAs('owner'), ...passkeysTooOld },
    async act(page) {
      await click('Add a passkey')(page)
      await page.getByRole('link', { name: 'Sign in again' }).scrollIntoViewIfNeeded()
    },
  },
  { name: 'account-without-password', path: '/account', answers: withoutPassword },
  { name: 'without-password', path: '/keys', answers: { ...withKeys(pageOf('keys', keys)), ...withoutPassword } },
  ...operationScenes,
  ...speechScenes,
  ...conversationListScenes,
  ...recordScenes,
  ...catalogScenes,
  ...webhookScenes,
]

/** The workspaces, for which the drawer is opened first on a phone. */
async function openNavigation(page) {
  const burger = page.getByRole('button', { name: 'Open the navigation' })
  if (await burger.isVisible()) await burger.click()
  await page.getByRole('button', { name: 'Workspace: Acme' }).click()
}
