// The answers of all pages that read: Agents, keys, and who is signed in.
import { id, longName, rightToLeft, signedInAs } from './answers.mjs'

export const agents = [
  { id: id(1), display_name: 'Front desk' },
  { id: id(2), display_name: rightToLeft },
  { id: id(3), display_name: longName },
]
const keys = [
  { id: id(1), label: 'Web site' },
  { id: id(2), label: longName },
]
export const pageOf = (name, items, next_cursor = null) => ({ body: { [name]: items, next_cursor } })
export const signedIn = (role = 'owner') => ({
  ...signedInAs(role),
  '/dashboard/api/v1/agents': pageOf('agents', agents),
  '/dashboard/api/keys': { body: { keys, next_cursor: null, member_keys: [{ id: id(8), person_name: longName }] } },
})
