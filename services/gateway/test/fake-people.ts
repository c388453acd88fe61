import { type MemberPrincipal, peopleContract, type Role, roleSchema, ServiceError } from '@parlance/contracts'
import { fakeHandlers } from '@parlance/testing'

export const personId = '8b0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'
const person = { id: personId, email: 'ada@example.com', name: 'Ada' }
export const invitationId = '9b0c1d52-2f7a-4f0e-9f4e-3a8f2f8a1b7d'

/** The cookie of a person who has this role in the workspace of the fakes. */
export const cookieOf = (role: Role): string => `parlance.session_token=${role}`

/** The cookie of a person who is an operator, and no member of any workspace. */
export const operatorCookie = 'parlance.session_token=operator'

const roleIn = (cookie: string): Role | undefined => roleSchema.safeParse(/=(\w+)$/.exec(cookie)?.[1]).data

/**
 * A people service with one person, whose cookie names the role. Its last account request is in `requests`. It refuses those
 * with the code `unavailable`.
 */
export const createFakePeople = (workspaceId: string, keyId: string) => {
  const requests: object[] = []
  const handlers = fakeHandlers(peopleContract, {
    handleAccountRequest(request) {
      requests.push(request)
      if (request.url.endsWith('?code=unavailable')) throw new ServiceError('unavailable', 'Acme cannot be reached.')
      return {
        status: 200,
        headers: [
          ['content-type', 'application/json'],
          ['set-cookie', 'first=1; Path=/'],
          ['set-cookie', 'second=2; Path=/'],
          ['x-internal', 'secret'],
        ],
        body: '{"ok":true}',
      }
    },
    listIdentityProviders: () => ({ providers: [{ id: 'oidc', name: 'Acme' }], passkeys: true, sends_mail: true }),
    getSignedIn({ cookie }, { fail }) {
      if (cookie === operatorCookie) return { person, workspaces: [], is_operator: true }
      const role = roleIn(cookie)
      if (role === undefined) return fail('unauthorized', 'Sign in first.')
      const workspace = { id: workspaceId, name: 'Test', capabilities: ['tts' as const], suspended: false, role }
      return { person, workspaces: [workspace], is_operator: false }
    },
    getOperator({ cookie }, { fail }) {
      if (cookie === operatorCookie) return person
      return roleIn(cookie) === undefined
        ? fail('unauthorized', 'Sign in first.')
        : fail('forbidden_role', 'This is for operators.')
    },
    getMember({ cookie, workspace_id }, { fail }): MemberPrincipal {
      const role = roleIn(cookie)
      if (role === undefined && cookie !== operatorCookie) return fail('unauthorized', 'Sign in first.')
      if (role === undefined || workspace_id !== workspaceId)
        return fail('not_found', 'You are not a member of this workspace.')
      return {
        key_id: keyId,
        workspace_id,
        capabilities: ['tts', 'stt', 'agents'],
        suspended: false,
        person_id: personId,
        role,
      }
    },
    getInvitation: ({ invitation_id }, { fail }) =>
      invitation_id === invitationId
        ? { email: person.email, workspace: 'Test', has_account: false }
        : fail('not_found', 'There is no such invitation.'),
    createInvitedPerson: ({ name }) => ({ ...person, name }),
  })
  return { handlers, requests, invitationId }
}
