import type { Client } from '@parlance/bus'
import {
  type Capability,
  idSchema,
  type MemberPrincipal,
  type Person,
  type peopleContract,
  type Role,
  ServiceError,
} from '@parlance/contracts'
import type { Request, RequestHandler } from 'express'
import type { Admit } from './admission.js'

/** The header that names the workspace. Pages of other origins cannot set it, as no preflight allows it. */
export const workspaceHeader = 'x-parlance-workspace'

const ranks: Readonly<Record<Role, number>> = { member: 0, admin: 1, owner: 2 }

/** Throws `forbidden_role`. */
const checkRole = (role: Role, least: Role): void => {
  if (ranks[role] >= ranks[least]) return
  throw new ServiceError('forbidden_role', 'This is for Owners and Admins of the workspace.')
}

/** The workspace that the header names. Throws `invalid_request`. */
export const workspaceOf = (req: Request): string => {
  const id = idSchema.safeParse(req.headers[workspaceHeader])
  if (!id.success) throw new ServiceError('invalid_request', `${workspaceHeader}: must be the id of a workspace`)
  return id.data
}

interface MemberRequirement {
  readonly capability?: Capability
  /** The minimum role that may call. */
  readonly role: Role
}

/**
 * Middleware that requires a signed-in member of the workspace in the header, whose workspace is admitted. It rejects with
 * `unauthorized`, with `not_found` for a workspace of others, with `forbidden_role`, and as `Admit` does.
 */
export const createRequireMember =
  (people: Pick<Client<typeof peopleContract>, 'getMember'>, admit: Admit) =>
  ({ capability, role }: MemberRequirement): RequestHandler =>
  async (req, res, next) => {
    const workspace_id = workspaceOf(req)
    const cookie = req.headers.cookie ?? ''
    const member: MemberPrincipal = await people.getMember({ cookie, workspace_id }, { context: req.context })
    checkRole(member.role, role)
    req.principal = member
    await admit(res, member, capability)
    next()
  }

/**
 * Middleware that requires a signed-in person who is an operator now. The header that names a workspace is required,
 * because pages of other origins cannot send it; its value does not matter. Requests count towards the limit of the person.
 * Rejects with `unauthorized`, `forbidden_role`, `invalid_request` or `rate_limited`.
 */
export const createRequireOperator =
  (people: Pick<Client<typeof peopleContract>, 'getOperator'>, admit: Admit): RequestHandler =>
  async (req, res, next) => {
    workspaceOf(req)
    const operator = await people.getOperator({ cookie: req.headers.cookie ?? '' }, { context: req.context })
    req.operator = operator
    await admit(res, { workspace_id: operator.id, capabilities: [], suspended: false })
    next()
  }

/** The operator, in handlers behind `requireOperator`. */
export const operatorOf = (req: Request): Person => {
  if (req.operator === undefined) throw new Error('this route does not require an operator')
  return req.operator
}

interface MemberWatchOptions {
  readonly people: Pick<Client<typeof peopleContract>, 'getMember'>
  /** The minimum role that the person must keep. */
  readonly role: Role
  readonly everyMs: number
  /** Called once, when the person has signed out, is no longer a member or has a lesser role. */
  onLost(): void
}

const refusals: ReadonlySet<string> = new Set(['unauthorized', 'not_found', 'forbidden_role'])

/**
 * Checks periodically that the person of a request may still make it, for responses that last long. A check that fails because
 * a service cannot be reached changes nothing. Returns a function that stops the checks.
 */
export const watchMember = (req: Request, { people, role, everyMs, onLost }: MemberWatchOptions): (() => void) => {
  const request = { cookie: req.headers.cookie ?? '', workspace_id: workspaceOf(req) }
  const check = async (): Promise<void> => {
    try {
      const member = await people.getMember(request, { context: req.context })
      checkRole(member.role, role)
    } catch (error) {
      if (!(error instanceof ServiceError && refusals.has(error.code))) return
      clearInterval(timer)
      onLost()
    }
  }
  const timer = setInterval(check, everyMs)
  return () => clearInterval(timer)
}
