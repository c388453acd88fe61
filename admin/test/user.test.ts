import { createFakeServices, workspaceId } from './fake-services.js'

let { calls, askedFor, run } = createFakeServices()
beforeEach(() => {
  ;({ calls, askedFor, run } = createFakeServices())
})

describe('requests of parlance user', () => {
  test('a person is added as a Member unless another role is named', async () => {
    await run(`user add ${workspaceId} bob@example.com`)
    await run(`user add ${workspaceId} bob@example.com --role owner --name Bob`)
    expect(askedFor('addPerson')).toEqual([
      { workspace_id: workspaceId, email: 'bob@example.com', role: 'member' },
      { workspace_id: workspaceId, email: 'bob@example.com', role: 'owner', name: 'Bob' },
    ])
  })

  test('an invitation has the role that was named', async () => {
    await run(`user invite ${workspaceId} bob@example.com --role admin`)
    expect(askedFor('createInvitation')).toEqual([
      { workspace_id: workspaceId, email: 'bob@example.com', role: 'admin' },
    ])
  })

  test('the role of a member is changed; a person who is not a member is not added', async () => {
    await run(`user role ${workspaceId} ada@example.com admin`)
    expect(askedFor('addPerson')).toEqual([{ workspace_id: workspaceId, email: 'ada@example.com', role: 'admin' }])
    const { exitCode, errors } = await run(`user role ${workspaceId} bob@example.com admin`)
    expect(exitCode).toBe(1)
    expect(errors).toBe(
      `error: bob@example.com is not a member: \`parlance user list ${workspaceId}\` shows the members.\n`,
    )
    expect(askedFor('addPerson')).toHaveLength(1)
  })

  test('a person becomes an operator, and is no longer one with --remove', async () => {
    await run('user operator ada@example.com')
    await run('user operator ada@example.com --remove')
    expect(askedFor('setOperator')).toEqual([
      { email: 'ada@example.com', is_operator: true },
      { email: 'ada@example.com', is_operator: false },
    ])
    expect(JSON.parse((await run('user operators --json')).output)).toMatchObject({
      operators: [{ email: 'ada@example.com' }],
    })
  })

  test.each([
    ['password-link', 'password'],
    ['sign-in-link', 'sign_in'],
  ])('%s requests a link of that kind', async (command, kind) => {
    await run(`user ${command} ada@example.com`)
    expect(askedFor('createAccountLink')).toEqual([{ email: 'ada@example.com', kind }])
  })
})

describe('links', () => {
  const link = () => run('user sign-in-link ada@example.com')

  test('a link is on a separate line, with the address that the services know', async () => {
    calls.people.createAccountLink = async () => ({
      path: '/sign_in?token=abc',
      url: 'https://speech.example.com/sign_in?token=abc',
      expires_at: '2026-01-31T10:30:00.000Z',
    })
    expect((await link()).output.split('\n')[1]).toBe('https://speech.example.com/sign_in?token=abc')
  })

  test('without PUBLIC_URL it has the address of npm start', async () => {
    expect((await link()).output.split('\n')[1]).toBe('http://127.0.0.1:8080/sign_in?token=abc')
    const { output } = await run('user sign-in-link ada@example.com --json')
    expect(JSON.parse(output)).toMatchObject({ url: 'http://127.0.0.1:8080/sign_in?token=abc' })
  })

  test('when no address is known, the path is printed with an explanation', async () => {
    const { output } = await run('user sign-in-link ada@example.com', { findGatewayUrl: async () => undefined })
    expect(output).toContain('\n/sign_in?token=abc\nPut the address of the gateway in front of it')
  })
})

test.each([
  ['user add %s nobody', 'It must be an address such as ada@example.com.'],
  ['user add %s ada@example.com --role boss', 'Allowed choices are owner, admin, member.'],
  ['user role %s ada@example.com boss', 'Allowed choices are owner, admin, member.'],
])('%s is refused with one line that says what to do', async (line, advice) => {
  const { exitCode, errors } = await run(line.replace('%s', workspaceId))
  expect(exitCode).toBe(1)
  expect(errors).toContain(advice)
  expect(errors.trim().split('\n')).toHaveLength(1)
})
