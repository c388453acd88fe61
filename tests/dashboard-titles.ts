import type { Role } from '@parlance/contracts'

/** The title of the page that a person sees whose role may not open the path. */
const refused = 'Not for your role'

const forAll = (name: string) => ({ owner: name, admin: name, member: name })

/** The title that each role sees at each path, in which a part such as `$agent` stands for an id. */
export const pageTitles: readonly { readonly path: string; readonly titles: Readonly<Record<Role, string>> }[] = [
  { path: '/', titles: { owner: 'Get started', admin: 'Get started', member: 'Overview' } },
  { path: '/get-started', titles: { owner: 'Get started', admin: 'Get started', member: refused } },
  { path: '/agents', titles: forAll('Agents') },
  { path: '/agents/new', titles: forAll('New Agent') },
  { path: '/agents/$agent', titles: forAll('Shown desk') },
  { path: '/agents/$agent/history', titles: forAll('History') },
  { path: '/conversations', titles: forAll('Conversations') },
  { path: '/conversations/$conversation', titles: forAll('Conversation with Shown desk') },
  { path: '/voices', titles: forAll('Voices') },
  { path: '/avatars', titles: forAll('Avatars') },
  { path: '/usage', titles: forAll('Usage and credit') },
  { path: '/model-providers', titles: { owner: 'Model providers', admin: 'Model providers', member: refused } },
  { path: '/phone-numbers', titles: { owner: 'Phone numbers', admin: 'Phone numbers', member: refused } },
  { path: '/keys', titles: { owner: 'API keys', admin: 'API keys', member: refused } },
  { path: '/webhooks', titles: forAll('Webhooks') },
  { path: '/webhooks/$webhook', titles: forAll('Webhook to receiver.example.com') },
  { path: '/members', titles: forAll('Members') },
  { path: '/audit-log', titles: { owner: 'Audit log', admin: 'Audit log', member: refused } },
  { path: '/settings', titles: forAll('Settings') },
  { path: '/operator/workspaces', titles: forAll(refused) },
  { path: '/operator/models', titles: forAll(refused) },
  { path: '/playground/talk', titles: forAll('Talk') },
  { path: '/try/talk', titles: forAll('Talk with an Agent') },
  { path: '/playground/speech', titles: forAll('Speech') },
  { path: '/try/speech', titles: forAll('Hear it speak') },
  { path: '/account', titles: forAll('Account') },
]
