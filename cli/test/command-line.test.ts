import { ServiceError } from '@parlance/contracts'
import { StartupError } from '@parlance/runtime'
import { apiKey, createFakeServices, keyId, reconciliation, runOn, workspaceId } from './fake-services.js'

const other = '9d0c6a3c-0f0b-4f43-8d0e-1c8f2f1f7f10'
const words = (line: string) => line.split(' ')

let calls: ReturnType<typeof createFakeServices>['calls']
let asked: ReturnType<typeof createFakeServices>['asked']
beforeEach(() => {
  ;({ calls, asked } = createFakeServices())
})
const run = (args: string[] | string, surroundings = {}) =>
  runOn(calls, typeof args === 'string' ? words(args) : args, surroundings)
const askedFor = (name: string) => asked.filter(([call]) => call === name).map(([, request]) => request)

/** One of each command, all of which succeed. */
const everyCommand = [
  'workspace create Acme --credit 100 --key First',
  'workspace list',
  `workspace show ${workspaceId}`,
  `workspace suspend ${workspaceId}`,
  `workspace resume ${workspaceId}`,
  `workspace capabilities ${workspaceId} --add tts`,
  `credit grant ${workspaceId} 100 --reference a`,
  `credit show ${workspaceId}`,
  `credit usage ${workspaceId}`,
  `key create ${workspaceId} --label First`,
  `key list ${workspaceId}`,
  `key revoke ${workspaceId} ${keyId}`,
  'reconcile',
  `reconcile ${workspaceId}`,
  'migrate',
  'models list',
  'models verify',
  'models search',
  'models search --language en --kind tts --license permissive',
  'models install en_US-joe-medium',
  'models import voice.tar.bz2',
  'models update',
  'models remove en_US-joe-medium',
  'tools key',
]

describe.each(everyCommand)('parlance %s', (line) => {
  test('prints lines of at most 80 columns for people, without colour, and ends with 0', async () => {
    const { exitCode, output, errors } = await run(line)
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' })
    expect(output).toMatch(/^\S[^\x1b]*\S\n$/)
    for (const printed of output.split('\n')) {
      expect(printed.length).toBeLessThanOrEqual(80)
      expect(printed).toBe(printed.trimEnd())
    }
  })

  test('prints one JSON value with --json', async () => {
    const { exitCode, output, errors } = await run(`${line} --json`)
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' })
    expect(JSON.parse(output)).toEqual(expect.any(Object))
  })

  test('lets go of the services when it is done', async () => {
    await run(line)
    if (asked.length > 0) expect(asked.at(-1)![0]).toBe('close')
    expect(askedFor('close').length).toBeLessThanOrEqual(1)
  })

  test('has a help with an example of itself', async () => {
    const path = words(line).slice(0, /^(reconcile|migrate)/.test(line) ? 1 : 2)
    const { exitCode, output } = await run([...path, '--help'])
    expect(exitCode).toBe(0)
    expect(output).toContain(`Examples:\n  parlance ${path.join(' ')}`)
    expect(Math.max(...output.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(90)
    expect(asked).toEqual([])
  })
})

describe('what it asks for', () => {
  test('a new workspace gets everything unless told otherwise, and no credit or key unasked', async () => {
    await run('workspace create Acme')
    expect(askedFor('createWorkspace')).toEqual([{ name: 'Acme', capabilities: ['tts', 'agents'] }])
    expect(asked.map(([name]) => name)).toEqual(['createWorkspace', 'close'])
  })

  test('a new workspace gets the capabilities, the credit and the key that were named', async () => {
    const { output } = await run([
      'workspace',
      'create',
      'Acme & Söhne',
      ...words('--capability tts --credit 12.40 --key First'),
    ])
    expect(askedFor('createWorkspace')).toEqual([{ name: 'Acme & Söhne', capabilities: ['tts'] }])
    expect(askedFor('grant')).toEqual([{ workspace_id: workspaceId, amount: '12.40', reference: 'workspace create' }])
    expect(askedFor('createKey')).toEqual([{ workspace_id: workspaceId, label: 'First' }])
    expect(output).toContain(apiKey)
  })

  test.each([
    ['--add tts', ['tts', 'agents']],
    ['--remove agents', ['tts']],
    ['--remove tts --remove agents', []],
    ['--set agents', ['agents']],
    ['--set tts,agents', ['tts', 'agents']],
    ['--set ', []],
  ])('capabilities %s', async (options, expected) => {
    expect((await run(`workspace capabilities ${workspaceId} ${options}`)).exitCode).toBe(0)
    const [request] = askedFor('updateWorkspace') as [{ capabilities: string[] }]
    expect([...new Set(request.capabilities)]).toEqual(expected)
  })

  test('capabilities without a change only shows them', async () => {
    expect((await run(`workspace capabilities ${workspaceId}`)).output).toContain('tts, agents')
    expect(askedFor('updateWorkspace')).toEqual([])
  })

  test('a new workspace gets the limits that were given, and its own of 0', async () => {
    await run('workspace create Acme --max-sessions 0 --max-streams 200')
    expect(askedFor('createWorkspace')).toEqual([
      { name: 'Acme', capabilities: ['tts', 'agents'], max_concurrent_sessions: 0, max_concurrent_streams: 200 },
    ])
  })

  test.each([
    ['--max-sessions 100', { max_concurrent_sessions: 100 }],
    ['--max-streams 0', { max_concurrent_streams: 0 }],
    ['--max-sessions 1 --max-streams 2', { max_concurrent_sessions: 1, max_concurrent_streams: 2 }],
  ])('limits %s', async (options, limits) => {
    const { output } = await run(`workspace limits ${workspaceId} ${options} --json`)
    expect(askedFor('updateWorkspace')).toEqual([{ workspace_id: workspaceId, ...limits }])
    expect(JSON.parse(output)).toMatchObject({ id: workspaceId, ...limits })
  })

  test('limits without a change only shows them', async () => {
    const { output } = await run(`workspace limits ${workspaceId}`)
    expect(output).toMatch(/Conversations at once +20\n/)
    expect(output).toMatch(/Streams at once +50\n/)
    expect((await run(`workspace limits ${workspaceId} --max-streams 0`)).output).toMatch(/Streams at once +no limit\n/)
    expect(askedFor('updateWorkspace')).toHaveLength(1)
  })

  test.each(['-1', '1.5', 'many', '1000001', ''])('no limit is made of "%s"', async (count) => {
    const { exitCode, errors } = await run(['workspace', 'limits', workspaceId, `--max-streams=${count}`])
    expect(exitCode).not.toBe(0)
    expect(errors).toContain('0 for no limit')
    expect(asked).toEqual([])
  })

  test('usage is asked for from day to day in UTC, or of the last 30 days', async () => {
    await run(`credit usage ${workspaceId} --from 2026-01-01 --to 2026-02-01T01:00:00+01:00 --group-by kind`)
    await run(`credit usage ${workspaceId} --to 2026-01-31`)
    expect(askedFor('getUsage')).toMatchObject([
      { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z', group_by: 'kind' },
      { from: '2026-01-01T00:00:00.000Z', to: '2026-01-31T00:00:00.000Z', group_by: 'day' },
    ])
  })
})

describe('what it answers', () => {
  test('the list of workspaces has all pages of it', async () => {
    const { workspaces } = JSON.parse((await run('workspace list --json')).output)
    expect(workspaces.map(({ name }: { name: string }) => name)).toEqual(['Acme', 'Beta'])
    expect((await run('workspace list')).output).toMatch(/suspended +Beta$/m)
  })

  test('a grant that was there before says that nothing was changed', async () => {
    expect((await run(`credit grant ${workspaceId} 5 --reference new`)).output).toMatch(/^Granted 5\.\n/)
    expect((await run(`credit grant ${workspaceId} 5 --reference again`)).output).toMatch(/^Nothing was changed: 5 /)
    expect(JSON.parse((await run(`credit grant ${workspaceId} 5 --reference again --json`)).output)).toMatchObject({
      replayed: true,
    })
  })

  test('a table of usage has columns only for what was used', async () => {
    const { output } = await run(`credit usage ${workspaceId}`)
    expect(output.split('\n')[0]!.split(/ {2,}/)).toEqual(['DAY', 'CREDIT', 'REQUESTS', 'CHARACTERS'])
    expect(output).toMatch(/^\(none\) /m)
  })

  test('a key is told by its use', async () => {
    const { output } = await run(`key list ${workspaceId}`)
    expect(output).toMatch(/never used +First$/m)
    expect(output).toMatch(/used 2026-01-31 +Used$/m)
    expect(output).toMatch(/revoked +Gone$/m)
  })

  test('where the output is no terminal, a row is one line', async () => {
    const { output } = await run(['workspace', 'create', 'n'.repeat(200)], { width: undefined })
    expect(output).toContain('n'.repeat(200))
  })

  test('migrate tells what it did to each schema', async () => {
    const schemas = [
      { schema: 'auth', applied: ['001-a.sql', '002-b.sql'] },
      { schema: 'credit', applied: [] },
    ]
    const migrate = async () => schemas
    expect((await run('migrate', { migrate })).output).toMatch(
      /^auth +001-a\.sql, 002-b\.sql\ncredit +nothing: up to date$/m,
    )
    expect(JSON.parse((await run('migrate --json', { migrate })).output)).toEqual({ schemas })
  })
})

describe('reconcile', () => {
  test.each([
    ['ledger_difference', '-0.000000001', 2],
    ['counter_difference', '0.10', 2],
    ['counter_difference', null, 0],
    ['counter_difference', '-0.00', 0],
  ])('with %s %s it ends with %i', async (field, value, expected) => {
    calls.credit.reconcile = async () => ({ workspaces: [reconciliation, { ...reconciliation, [field]: value }] })
    for (const line of ['reconcile', 'reconcile --json']) {
      const { exitCode, output, errors } = await run(line)
      expect({ exitCode, errors }).toEqual({ exitCode: expected, errors: '' })
      if (line === 'reconcile') expect(output).toContain(expected === 0 ? 'Nothing differs' : 'They differ in 1 of 2')
    }
  })

  test('all pages are compared, and how far that is gets told', async () => {
    const progress: string[] = []
    calls.credit.reconcile = async ({ cursor }) =>
      cursor === undefined
        ? { workspaces: [reconciliation], next_cursor: workspaceId }
        : { workspaces: [{ ...reconciliation, ledger_difference: '0.01' }] }
    const { exitCode, output } = await run('reconcile', { progress: (text: string) => progress.push(text) })
    expect({ exitCode, progress }).toEqual({ exitCode: 2, progress: ['1 workspaces compared so far …'] })
    expect(output).toContain('They differ in 1 of 2')
  })

  test('without any credit there is nothing that differs', async () => {
    calls.credit.reconcile = async () => ({ workspaces: [] })
    expect(await run('reconcile')).toMatchObject({ exitCode: 0, output: expect.stringContaining('Nothing differs') })
  })
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
    ['workspace create Acme --capability video', /There are tts and agents/],
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
    ['models search --kind avatar', /Allowed choices are tts, stt, vad, turn/],
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

  test('a reference that another amount was granted under', async () => {
    calls.credit.grant = () => Promise.reject(new ServiceError('idempotency_conflict', 'reference: was used before'))
    await expectError(
      `credit grant ${workspaceId} 5 --reference invoice-17`,
      /reference invoice-17 before: nothing was changed\. .* new reference\.$/m,
    )
  })

  test('a key that is not the workspace’s', () =>
    expectError(
      `key revoke ${workspaceId} ${other}`,
      new RegExp(`has no key ${other}: .parlance key list ${workspaceId}.`),
    ))

  test('a period that ends before it begins', () =>
    expectError(`credit usage ${workspaceId} --from 2026-02-01 --to 2026-01-01`, /--from comes before --to/))

  test('services that cannot be asked', async () => {
    const openCalls = () => Promise.reject(new StartupError(['NATS is away. Start it.']))
    expect(await run('workspace list', { openCalls })).toEqual({
      exitCode: 1,
      output: '',
      errors: 'error: NATS is away. Start it.\n',
    })
  })

  test('something nobody expected', async () => {
    calls.auth.listWorkspaces = () => Promise.reject(new TypeError('of many\nlines'))
    await expectError('workspace list', /unexpected went wrong: of many lines/)
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
