import { ServiceError } from '@parlance/contracts'
import { StartupError } from '@parlance/runtime'
import { createFakeServices, keyId, workspaceId } from './fake-services.js'

const other = '9d0c6a3c-0f0b-4f43-8d0e-1c8f2f1f7f10'

let { calls, asked, askedFor, run } = createFakeServices()
beforeEach(() => {
  ;({ calls, asked, askedFor, run } = createFakeServices())
})

describe('an error is one line on standard error, nothing on standard output, and 1', () => {
  const expectError = async (args: string | string[], expected: RegExp) => {
    const { exitCode, output, errors } = await run(args)
    expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' })
    expect(errors).toMatch(/^error: [^\n]+\n$/)
    expect(errors).toMatch(expected)
  }

  test.each([
    ['workspac list', /unknown command 'workspac' \(Did you mean workspace\?\) `parlance --help` shows more/],
    ['workspace lst', /Did you mean list.*`parlance workspace --help`/],
    ['workspace list --jso', /Did you mean --json/],
    ['workspace list more', /too many arguments/],
    ['workspace create', /missing required argument 'name'\. `parlance workspace create --help`/],
    [`workspace create ${'n'.repeat(201)}`, /1 to 200/],
    ['workspace create Acme --capability video', /There are tts, stt, agents/],
    ['workspace create Acme --credit 1e3', /amount above zero/],
    ['workspace show acme', /`parlance workspace list` shows/],
    [`workspace capabilities ${workspaceId} --set tts --add agents`, /cannot be used with option/],
    [`credit grant ${workspaceId} 100`, /--reference/],
    [`credit grant ${workspaceId} 0.000 --reference a`, /amount above zero/],
    [`credit grant ${workspaceId} -5 --reference a`, /amount above zero/],
    [`credit grant ${workspaceId} 1.0000000001 --reference a`, /billionth/],
    [`credit grant ${workspaceId} 1,5 --reference a`, /12\.40/],
    [`credit usage ${workspaceId} --from yesterday`, /2026-01-31/],
    [`credit usage ${workspaceId} --from 2026-02-30T00:00`, /2026-01-31/],
    [`credit usage ${workspaceId} --group-by week`, /day, agent, api_key, kind/],
    [`key create ${workspaceId}`, /--label/],
    ['models verify --threads 0', /from 1 to 64/],
    ['models list --models-dir ', /path of a folder/],
    ['models search --kind avatar', /Allowed choices are tts, stt, turn/],
    ['models install joe --mirror nowhere', /address such as https/],
    [`key revoke ${workspaceId} first`, /`parlance key list <workspace>`/],
  ])('%s', async (line, expected) => {
    await expectError(line, expected)
    expect(asked).toEqual([])
  })

  test.each([
    `workspace show ${other}`,
    `workspace suspend ${other}`,
    `workspace capabilities ${other} --add tts`,
    `credit grant ${other} 5 --reference a`,
    `credit show ${other}`,
    `credit usage ${other}`,
    `key create ${other} --label a`,
    `key list ${other}`,
    `key revoke ${other} ${keyId}`,
    `reconcile ${other}`,
  ])('%s: no such workspace, and nothing is done', async (line) => {
    await expectError(line, new RegExp(`There is no workspace ${other}: \`parlance workspace list\` shows`))
    expect(asked.map(([name]) => name)).toEqual(['getWorkspace', 'close'])
  })

  test('a reference of another grant', async () => {
    calls.credit.grant = () => Promise.reject(new ServiceError('idempotency_conflict', 'reference: was used before'))
    await expectError(
      `credit grant ${workspaceId} 5 --reference invoice-17`,
      /reference invoice-17 before\. Nothing was changed\. .* new grant\.$/m,
    )
  })

  test('a key that is not the workspace’s', () =>
    expectError(
      `key revoke ${workspaceId} ${other}`,
      new RegExp(`has no key ${other}: .parlance key list ${workspaceId}.`),
    ))

  test('a period that ends before it begins', () =>
    expectError(`credit usage ${workspaceId} --from 2026-02-01 --to 2026-01-01`, /--from must be before --to/))

  test('services that cannot be reached', async () => {
    const openCalls = () => Promise.reject(new StartupError(['NATS is away. Start it.']))
    expect(await run('workspace list', { openCalls })).toEqual({
      exitCode: 1,
      output: '',
      errors: 'error: NATS is away. Start it.\n',
    })
  })

  test('an unexpected error', async () => {
    calls.auth.listWorkspaces = () => Promise.reject(new TypeError('of many\nlines'))
    await expectError('workspace list', /Unexpected error: of many lines/)
    expect(askedFor('close')).toHaveLength(1)
  })

  test('a workspace that was created before the rest failed is named', async () => {
    calls.credit.grant = () => Promise.reject(new ServiceError('unavailable', 'Try again.'))
    await expectError(
      'workspace create Acme --credit 5',
      new RegExp(`Workspace ${workspaceId} was created, but without credit: Try again\\.`),
    )
  })
})
