import { dashboardRoutes } from '../src/routes/dashboard/dashboard-routes.js'
import { type AccessRow, type Caller, callers, dashboardAccess } from './dashboard-access.js'
import { cookieOf, operatorCookie } from './fake-people.js'
import { workspaceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
beforeAll(async () => {
  gateway = await openGateway()
})
afterAll(() => gateway.close())

const cookieHeaderOf = (caller: Caller): Record<string, string> => {
  if (caller === 'none') return {}
  return { cookie: caller === 'operator' ? operatorCookie : cookieOf(caller) }
}

/** The errors for callers who may not call a route. */
const refusals: Readonly<Record<string, object>> = {
  'none 401': { code: 'unauthorized' },
  'owner 403': { code: 'forbidden_role', detail: 'This is for operators.' },
  'admin 403': { code: 'forbidden_role', detail: 'This is for operators.' },
  'member 403': { code: 'forbidden_role' },
  'operator 404': { code: 'not_found', detail: 'You are not a member of this workspace.' },
}

const ask = async ({ route, answers, path, body }: AccessRow, caller: Caller): Promise<number> => {
  const response = await fetch(`${gateway.url}${path}`, {
    method: route.slice(0, route.indexOf(' ')),
    headers: {
      ...cookieHeaderOf(caller),
      'x-parlance-workspace': workspaceId,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { status } = response
  const [ofOwner, , , , ofNoOne] = answers
  const isForMembers = ofNoOne === 401 && ofOwner !== 403
  const refusal = status === 404 && !isForMembers ? undefined : refusals[`${caller} ${status}`]
  if (refusal === undefined) await response.body?.cancel()
  else expect(await response.json()).toMatchObject(refusal)
  return status
}

test('every route of the dashboard is in the table of allowed callers', () => {
  const routes = dashboardRoutes.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
  expect(dashboardAccess.map(({ route }) => route).sort()).toEqual(routes.sort())
})

test.each(dashboardAccess)(
  '$route responds to an Owner, an Admin, a Member, an operator and others as in the table',
  async (row) => {
    const answers: number[] = []
    for (const caller of callers) answers.push(await ask(row, caller))
    expect(answers).toEqual(row.answers)
  },
)
