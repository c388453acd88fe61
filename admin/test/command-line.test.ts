import { apiKey, createFakeServices, keyId, reconciliation, workspaceId } from './fake-services.js'

let { calls, asked, askedFor, run } = createFakeServices()
beforeEach(() => {
  ;({ calls, asked, askedFor, run } = createFakeServices())
})

/** One call of each command. All of them succeed. */
const everyCommand = [
  'workspace create Acme --credit 100 --key First',
  'workspace list',
  `workspace show ${workspaceId}`,
  `workspace suspend ${workspaceId}`,
  `workspace resume ${workspaceId}`,
  `workspace delete ${workspaceId}`,
  `workspace capabilities ${workspaceId} --add tts`,
  `credit grant ${workspaceId} 100 --reference a`,
  `credit show ${workspaceId}`,
  `credit usage ${workspaceId}`,
  `key create ${workspaceId} --label First`,
  `key list ${workspaceId}`,
  `key revoke ${workspaceId} ${keyId}`,
  `user list ${workspaceId}`,
  `user add ${workspaceId} ada@example.com --role owner --name Ada`,
  `user invite ${workspaceId} ada@example.com --role admin`,
  `user role ${workspaceId} ada@example.com admin`,
  `user remove ${workspaceId} ada@example.com`,
  'user password-link ada@example.com',
  'user sign-in-link ada@example.com',
  'user sign-out-everywhere ada@example.com',
  'user operator ada@example.com',
  'user operators',
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
  'nats-accounts',
  'doctor',
]

describe.each(everyCommand)('parlance %s', (line) => {
  test('prints lines of at most 80 columns for people, without color, and ends with 0', async () => {
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

  test('closes its connection to the services when it is done', async () => {
    await run(line)
    if (asked.length > 0) expect(asked.at(-1)![0]).toBe('close')
    expect(askedFor('close').length).toBeLessThanOrEqual(1)
  })

  test('has a help text with an example', async () => {
    const path = line.split(' ').slice(0, /^(reconcile|migrate|doctor)/.test(line) ? 1 : 2)
    const { exitCode, output } = await run([...path, '--help'])
    expect(exitCode).toBe(0)
    expect(output).toContain(`Examples:\n  parlance ${path.join(' ')}`)
    expect(Math.max(...output.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(90)
    expect(asked).toEqual([])
  })
})

describe('requests', () => {
  test('a new workspace gets all capabilities by default, and credit and a key only on request', async () => {
    await run('workspace create Acme')
    expect(askedFor('createWorkspace')).toEqual([{ name: 'Acme', capabilities: ['tts', 'stt', 'agents'] }])
    expect(asked.map(([name]) => name)).toEqual(['createWorkspace', 'close'])
  })

  test('a new workspace gets the capabilities, the credit and the key that were named', async () => {
    const { output } = await run([
      'workspace',
      'create',
      'Acme & Söhne',
      ...'--capability tts --credit 12.40 --key First'.split(' '),
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

  test('a new workspace gets the limits of the options, and an own limit of 0', async () => {
    await run('workspace create Acme --max-sessions 0 --max-streams 200')
    expect(askedFor('createWorkspace')).toEqual([
      { name: 'Acme', capabilities: ['tts', 'stt', 'agents'], max_concurrent_sessions: 0, max_concurrent_streams: 200 },
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

  test.each(['-1', '1.5', 'many', '1000001', ''])('"%s" is not a limit', async (count) => {
    const { exitCode, errors } = await run(['workspace', 'limits', workspaceId, `--max-streams=${count}`])
    expect(exitCode).not.toBe(0)
    expect(errors).toContain('0 for no limit')
    expect(asked).toEqual([])
  })

  test('usage is requested for a range of days in UTC, by default the last 30 days', async () => {
    await run(`credit usage ${workspaceId} --from 2026-01-01 --to 2026-02-01T01:00:00+01:00 --group-by kind`)
    await run(`credit usage ${workspaceId} --to 2026-01-31`)
    expect(askedFor('getUsage')).toMatchObject([
      { from: '2026-01-01T00:00:00.000Z', to: '2026-02-01T00:00:00.000Z', group_by: 'kind' },
      { from: '2026-01-01T00:00:00.000Z', to: '2026-01-31T00:00:00.000Z', group_by: 'day' },
    ])
  })
})

describe('answers', () => {
  test('the list of workspaces has all pages of it', async () => {
    const { workspaces } = JSON.parse((await run('workspace list --json')).output)
    expect(workspaces.map(({ name }: { name: string }) => name)).toEqual(['Acme', 'Beta'])
    expect((await run('workspace list')).output).toMatch(/suspended +Beta$/m)
  })

  test('a repeated grant reports that nothing was changed', async () => {
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

  test('a key is listed with its last use', async () => {
    const { output } = await run(`key list ${workspaceId}`)
    expect(output).toMatch(/never used +First$/m)
    expect(output).toMatch(/used 2026-01-31 +Used$/m)
    expect(output).toMatch(/revoked +Gone$/m)
  })

  test('when the output is not a terminal, a row is one line', async () => {
    const { output } = await run(['workspace', 'create', 'n'.repeat(200)], { width: undefined })
    expect(output).toContain('n'.repeat(200))
  })

  test('migrate prints what it applied to each schema', async () => {
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
      if (line === 'reconcile')
        expect(output).toContain(expected === 0 ? 'Nothing differs' : '1 of 2 workspaces differ')
    }
  })

  test('all pages are compared, with progress', async () => {
    const progress: string[] = []
    calls.credit.reconcile = async ({ cursor }) =>
      cursor === undefined
        ? { workspaces: [reconciliation], next_cursor: workspaceId }
        : { workspaces: [{ ...reconciliation, ledger_difference: '0.01' }] }
    const { exitCode, output } = await run('reconcile', { progress: (text: string) => progress.push(text) })
    expect({ exitCode, progress }).toEqual({ exitCode: 2, progress: ['1 workspaces compared so far …'] })
    expect(output).toContain('1 of 2 workspaces differ')
  })

  test('without any credit nothing differs', async () => {
    calls.credit.reconcile = async () => ({ workspaces: [] })
    expect(await run('reconcile')).toMatchObject({ exitCode: 0, output: expect.stringContaining('Nothing differs') })
  })
})
