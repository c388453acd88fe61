import { randomUUID } from 'node:crypto'
import type { Handlers } from '@parlance/bus'
import { type Person, type peopleContract, ServiceError } from '@parlance/contracts'
import { announceStanding, type StandingChanged } from '../key-handlers.js'
import { invitationLifeMs, invitationPath, linkLifeMs, linkTo } from './account-links.js'
import { answerAccountRequest } from './account-request.js'
import type { Accounts } from './accounts.js'
import { type IdentityProvider, identityProviderId, relyingPartyOf } from './identity-provider.js'
import type { InvitationRepository } from './invitation-repository.js'
import { findPerson, type OperatorRepository, type PeopleRepository, requireVerified } from './people-repository.js'

interface PeopleHandlersOptions {
  /** Opens them when they are first needed. */
  accounts(): Promise<Accounts>
  readonly people: PeopleRepository
  readonly invitations: InvitationRepository
  readonly operators: OperatorRepository
  /** The address of the gateway. */
  readonly publicUrl: string | undefined
  readonly provider: IdentityProvider | undefined
  /** Whether mails can be sent. */
  readonly sendsMail: boolean
  readonly standingChanged: StandingChanged
}

const noInvitation = 'This invitation was used or withdrawn, or has expired. Ask for another one.'

export const createPeopleHandlers = ({
  accounts,
  people,
  invitations,
  operators,
  publicUrl,
  provider,
  sendsMail,
  standingChanged,
}: PeopleHandlersOptions): Handlers<typeof peopleContract> => {
  const signedIn = async (cookie: string) => {
    const found = await (await accounts()).signedIn(cookie)
    if (found === undefined) throw new ServiceError('unauthorized', 'Sign in first.')
    return found
  }

  const findOrCreatePerson = async (email: string, name: string | undefined): Promise<Person> => {
    const known = await people.findByEmail(email)
    if (known !== undefined) {
      await requireVerified(people, known)
      return known
    }
    const person = { email: email.toLowerCase(), name: name ?? email.slice(0, email.indexOf('@')) }
    // The operator chooses the address, and only the operator's links and mails give access to the account.
    return { ...person, id: await (await accounts()).createPerson({ ...person, isVerified: true }) }
  }

  return {
    // How people sign in, and who is signed in.
    handleAccountRequest: async (request) => answerAccountRequest(await accounts(), request),

    listIdentityProviders: () => ({
      providers: provider === undefined ? [] : [{ id: identityProviderId, name: provider.name }],
      passkeys: relyingPartyOf(publicUrl) !== undefined,
      sends_mail: sendsMail,
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
      const member = await people.findMember(workspace_id, personId)
      return member ?? fail('not_found', 'You are not a member of this workspace.')
    },

    // Members of workspaces, and invitations.
    async getInvitation({ invitation_id }, { fail }) {
      return (await invitations.find(invitation_id)) ?? fail('not_found', noInvitation)
    },

    async createInvitedPerson({ invitation_id, token, name, password }, { fail }) {
      const invitation = await invitations.find(invitation_id)
      if (invitation === undefined) return fail('not_found', noInvitation)
      const isVerified = token !== undefined && (await invitations.hasToken(invitation_id, token))
      // Inviters see the id, so it proves nothing about the address. Without mails they send links of the id alone.
      if (!isVerified && (sendsMail || token !== undefined))
        return fail('invalid_request', 'This link is incomplete. Open the link in the mail, or ask for another one.')
      const { email, has_account } = invitation
      if (has_account) return fail('invalid_request', 'You have an account. Sign in, and then accept the invitation.')
      const id = await (await accounts()).createPerson({ email, name, password, isVerified })
      return { id, email, name }
    },

    async addPerson({ email, name, workspace_id, role }, { fail }) {
      const person = await findOrCreatePerson(email, name)
      if (await people.setRole(workspace_id, person.id, role)) return person
      return fail('not_found', 'There is no such workspace.')
    },

    async createInvitation({ workspace_id, email, role }, { fail }) {
      const members = await people.members(workspace_id)
      if (members.some((member) => member.email === email.toLowerCase()))
        return fail('invalid_request', 'This person is already a member of the workspace.')
      const id = randomUUID()
      const expiresAt = new Date(Date.now() + invitationLifeMs)
      const token = await invitations.invite({ id, workspaceId: workspace_id, email, role, expiresAt })
      if (token === undefined) return fail('not_found', 'There is no such workspace.')
      return linkTo(publicUrl, invitationPath(id, token), expiresAt)
    },

    async listMembers({ workspace_id }) {
      return { members: await people.members(workspace_id) }
    },

    async removeMember({ workspace_id, email }, { fail }) {
      const person = await findPerson(people, email)
      if (!(await people.removeMember(workspace_id, person.id)))
        return fail('not_found', 'This person is not a member of the workspace.')
      announceStanding(standingChanged, workspace_id)
      return {}
    },

    // Who is an operator, and what operators do with accounts.
    async createAccountLink({ email, kind }) {
      const person = await findPerson(people, email)
      const { createSignInPath, createPasswordPath } = await accounts()
      const createPath = kind === 'sign_in' ? createSignInPath : createPasswordPath
      return linkTo(publicUrl, await createPath(person.email), new Date(Date.now() + linkLifeMs))
    },

    async setOperator({ email, is_operator }) {
      const person = await findPerson(people, email)
      if (is_operator) await requireVerified(people, person)
      await (is_operator ? operators.add(person.id) : operators.remove(person.id))
      return person
    },

    async listOperators() {
      return { operators: await operators.list() }
    },

    async signOutEverywhere({ email }) {
      const { id } = await findPerson(people, email)
      const sessions = await people.countSessions(id)
      await (await accounts()).signOutEverywhere(id)
      return { sessions }
    },
  }
}
