import type { Client } from '@parlance/bus'
import { type peopleContract, type Role, ServiceError } from '@parlance/contracts'
import type { Request } from 'express'
import { checkRole, workspaceOf } from './require-member.js'

export interface MemberWatchOptions {
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
