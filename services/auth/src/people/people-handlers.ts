import { randomUUID } from 'node:crypto'
import type { Handlers } from '@parlance/bus'
import { type AccountLink, type Person, type peopleContract, ServiceError } from '@parlance/contracts'
import type { StandingChanged } from '../standing-changed.js'
import { announceStanding } from '../standing-changed.js'
import { invitationLifeMs, invitationPath, linkLifeMs } from './account-links.js'
import { answerAccountRequest } from './account-request.js'
import type { Accounts } from './accounts.js'
import { type IdentityProvider, identityProviderId } from './identity-provider.js'
import type { OperatorRepository } from './operator-repository.js'
import type { PeopleRepository } from './people-repository.js'
import { relyingPartyOf } from './relying-party.js'

export interface PeopleHandlersOptions {
  /** Opens them when they are first needed. */
  accounts(): Promise<Accounts>
  readonly people: PeopleRepository
  readonly operators: OperatorRepository
  /** The address of the gateway. */
  readonly publicUrl: string | undefined
  readonly provider: IdentityProvider | undefined
  readonly standingChanged: StandingChanged
}

const noPerson = () => new ServiceError('not_found', 'There is no person with this address.')

const noInvitation = 'This invitation has been used, withdrawn or is too old. Ask for another one.'

export const createPeopleHandlers = ({
  accounts,
  people,
  operators,
  publicUrl,
  provider,
  standingChanged,
}: PeopleHandlersOptions): Handlers<typeof peopleContract> => {
  const signedIn = async (cookie: string) => {
    const found = await (await accounts()).signedIn(cookie)
    if (found === undefined) throw new ServiceError('unauthorized', 'Sign in first.')
    return found
  }

  const linkOf = (path: string, lifeMs: number): AccountLink => ({
    path,
    url: publicUrl === undefined ? null : `${publicUrl}${path}`,
    expires_at: new Date(Date.now() + lifeMs).toISOString(),
  })

  const findPerson = async (email: string): Promise<Person> => {
    const person = await people.findByEmail(email)
    if (person === undefined) throw noPerson()
    return person
  }

  const findOrCreatePerson = async (email: string, name: string | undefined): Promise<Person> => {
    const known = await people.findByEmail(email)
    if (known !== undefined) return known
    const person = { email: email.toLowerCase(), name: name ?? email.slice(0, email.indexOf('@')) }
    return { ...person, id: await (await accounts()).createPerson(person) }
  }

  return {
    handleAccountRequest: async (request) => answerAccountRequest(await accounts(), request),

    listIdentityProviders: () => ({
      providers: provider === undefined ? [] : [{ id: identityProviderId, name: provider.name }],
      passkeys: relyingPartyOf(publicUrl) !== undefined,
    }),

    async getSignedIn({ cookie }) {
      const { personId, email, name } = await signedIn(cookie)
      const [workspaces, is_operator] = await Promise.all([
        people.membershipsOf(personId),
        operators.isOperator(personId),
      ])
      return { person: { id: personId, email, name }, workspaces, is_operator }
    },

    async getOperator({ cookie }, { fail }) {
      const { personId: id, email, name } = await signedIn(cookie)
      return (await operators.isOperator(id)) ? { id, email, name } : fail('forbidden_role', 'This is for operators.')
    },

    async getMember({ cookie, workspace_id }, { fail }) {
      const { personId } = await signedIn(cookie)
      return (
        (await people.findMember(workspace_id, personId)) ?? fail('not_found', 'You are no member of this workspace.')
      )
    },

    async getInvitation({ invitation_id }, { fail }) {
      return (await people.findInvitation(invitation_id)) ?? fail('not_found', noInvitation)
    },

    async createInvitedPerson({ invitation_id, name, password }, { fail }) {
      const invitation = await people.findInvitation(invitation_id)
      if (invitation === undefined) return fail('not_found', noInvitation)
      const { email, has_account } = invitation
      if (has_account) return fail('invalid_request', 'You have an account. Sign in, and accept the invitation then.')
      return { id: await (await accounts()).createPerson({ email, name, password }), email, name }
    },

    async addPerson({ email, name, workspace_id, role }, { fail }) {
      const person = await findOrCreatePerson(email, name)
      if (await people.setRole(workspace_id, person.id, role)) return person
      return fail('not_found', 'There is no such workspace.')
    },

    async createAccountLink({ email, kind }) {
      const person = await findPerson(email)
      const { createSignInPath, createPasswordPath } = await accounts()
      const createPath = kind === 'sign_in' ? createSignInPath : createPasswordPath
      return linkOf(await createPath(person.email), linkLifeMs)
    },

    async createInvitation({ workspace_id, email, role }, { fail }) {
      const members = await people.members(workspace_id)
      if (members.some((member) => member.email === email.toLowerCase()))
        return fail('invalid_request', 'This person is a member of the workspace already.')
      const id = randomUUID()
      const link = linkOf(invitationPath(id), invitationLifeMs)
      const invitation = { id, workspaceId: workspace_id, email, role, expiresAt: new Date(link.expires_at) }
      return (await people.invite(invitation)) ? link : fail('not_found', 'There is no such workspace.')
    },

    async listMembers({ workspace_id }) {
      return { members: await people.members(workspace_id) }
    },

    async removeMember({ workspace_id, email }, { fail }) {
      const person = await findPerson(email)
      if (!(await people.removeMember(workspace_id, person.id)))
        return fail('not_found', 'This person is no member of the workspace.')
      announceStanding(standingChanged, workspace_id)
      return {}
    },

    async setOperator({ email, is_operator }) {
      const person = await findPerson(email)
      await (is_operator ? operators.add(person.id) : operators.remove(person.id))
      return person
    },

    async listOperators() {
      return { operators: await operators.list() }
    },

    async signOutEverywhere({ email }) {
      const { id } = await findPerson(email)
      const sessions = await people.countSessions(id)
      await (await accounts()).signOutEverywhere(id)
      return { sessions }
    },
  }
}
