import type { Client } from '@parlance/bus'
import type { Person, peopleContract } from '@parlance/contracts'
import type { Request, RequestHandler } from 'express'
import type { Admit } from './admission.js'
import { workspaceOf } from './require-member.js'

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
