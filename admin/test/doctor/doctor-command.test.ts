import { stripVTControlCharacters } from 'node:util'
import { type CheckContext, type CheckedFinding, checkNames, ok } from '../../src/doctor/check.js'
import { checks } from '../../src/doctor/checks.js'
import { type DiagnoseOptions, runChecks } from '../../src/doctor/diagnose.js'
import { createFakeServices } from '../fake-services.js'
import { createContext, notAborted } from './check-context.js'

const fine: CheckedFinding = { check: 'redis', status: 'ok', found: 'Redis answers.' }
const warned: CheckedFinding = {
  check: 'nats',
  status: 'warning',
  found: 'NATS asks for no credentials.',
  fix: 'Add users.',
}
const wrong: CheckedFinding = {
  check: 'postgres',
  status: 'error',
  found: 'Row-level security is not enabled on agents.revisions, a table of which nothing else is known.',
  fix: 'Run `alter table agents.revisions enable row level security, force row level security`.',
}
const left: CheckedFinding = { check: 'udp', status: 'skipped', found: 'It needs two sides.' }

const run = async (line: string, findings: readonly CheckedFinding[], more = {}) => {
  const asked: DiagnoseOptions[] = []
  const diagnose = async (options: DiagnoseOptions) => {
    asked.push(options)
    return findings
  }
  return { asked, ...(await createFakeServices().run(line, { diagnose, ...more })) }
}

test('the exit code is 0 without an error, and 1 with one', async () => {
  expect((await run('doctor', [fine, warned, left])).exitCode).toBe(0)
  expect((await run('doctor', [fine, wrong])).exitCode).toBe(1)
  expect((await run('doctor --json', [wrong])).exitCode).toBe(1)
})

test.each([
  'doctor --only redis,mysql',
  'doctor --udp-to 203.0.113.7',
  'doctor --udp-to host:70000',
  'doctor --udp-answer none',
  'doctor --ws-idle 0',
  'doctor --url somewhere',
  'doctor --unknown',
  'doctor more',
])('%s is a usage error: exit code 2 and one line', async (line) => {
  const { exitCode, output, errors, asked } = await run(line, [fine])
  expect({ exitCode, output, asked }).toEqual({ exitCode: 2, output: '', asked: [] })
  expect(errors).toMatch(/^error: [^\n]+\n$/)
})

test('its help names every check and the exit codes, and ends with 0', async () => {
  const { exitCode, output } = await run('doctor --help', [])
  expect(exitCode).toBe(0)
  for (const name of checkNames) expect(output).toContain(name)
  expect(output).toMatch(/Exit codes:\n {2}0 .*\n {2}1 .*\n {2}2 /)
})

test('the options reach the checks', async () => {
  const line = 'doctor --only udp,nats --udp-to [::1]:40000 --udp-answer 40000 --ws-idle 90 --service tts,auth'
  const { asked } = await run(`${line} --url https://speech.example.com --nats-users keys`, [fine])
  expect(asked).toEqual([
    {
      only: ['udp', 'nats'],
      udpTo: { host: '::1', port: 40_000 },
      udpAnswer: 40_000,
      wsIdle: 90,
      service: ['tts', 'auth'],
      url: 'https://speech.example.com',
      natsUsers: 'keys',
    },
  ])
})

test('each finding is printed with its fix, wrapped to the terminal, and the counts come last', async () => {
  const { output } = await run('doctor', [fine, warned, wrong, left], { width: 60 })
  expect(output).toMatchInlineSnapshot(`
"STATUS   CHECK     FOUND
ok       redis     Redis answers.
warning  nats      NATS asks for no credentials.
                   → Add users.
error    postgres  Row-level security is not enabled on
                   agents.revisions, a table of which
                   nothing else is known.
                   → Run \`alter table agents.revisions
                   enable row level security, force row
                   level security\`.
skipped  udp       It needs two sides.

Found 1 error and 1 warning. 1 check left out.
"
`)
})

test('colors are added to the same text, and only when they are enabled', async () => {
  const plain = await run('doctor', [fine, warned, wrong, left])
  const colored = await run('doctor', [fine, warned, wrong, left], { isColored: true })
  expect(plain.output).not.toContain('\x1b')
  expect(colored.output).toContain('\x1b[31m')
  expect(stripVTControlCharacters(colored.output)).toBe(plain.output)
})

test('scripts get each finding, with null for no fix', async () => {
  const { output } = await run('doctor --json', [fine, warned])
  expect(JSON.parse(output)).toEqual({ ok: true, findings: [{ ...fine, fix: null }, warned] })
})

describe('running checks', () => {
  const context: CheckContext = createContext()
  const environment = { progress: () => {}, signal: notAborted }

  test('the names are those of the checks, in their order', () => {
    expect(checks.map(({ name }) => name)).toEqual(checkNames)
  })

  test('checks run in parallel, and are reported in their order', async () => {
    // Each waits for the other, so that sequential execution would never end.
    let meet = () => {}
    const met = new Promise<void>((resolve) => {
      meet = resolve
    })
    const first = { name: 'nats' as const, run: () => met.then(() => [ok('first')]) }
    const second = {
      name: 'redis' as const,
      run: async () => {
        meet()
        return [ok('second')]
      },
    }
    const findings = await runChecks([first, second], context, environment)
    expect(findings.map(({ check, found }) => [check, found])).toEqual([
      ['nats', 'first'],
      ['redis', 'second'],
    ])
  })

  test('a check that does not end or fails is an error, and the others are reported', async () => {
    let aborted = false
    const stuck = {
      name: 'nats' as const,
      timeoutMs: () => 20,
      run: (_context: CheckContext, signal: AbortSignal) => {
        signal.addEventListener('abort', () => {
          aborted = true
        })
        return new Promise<never>(() => {})
      },
    }
    const failing = { name: 'redis' as const, run: () => Promise.reject(new Error('of a fault.\n')) }
    const right = { name: 'clocks' as const, run: async () => [ok('fine')] }
    const findings = await runChecks([stuck, failing, right], context, environment)
    expect(findings.map(({ status, found }) => [status, found])).toEqual([
      ['error', 'The check did not end within 0.02 s.'],
      ['error', 'The check failed: of a fault.'],
      ['ok', 'fine'],
    ])
    expect(aborted).toBe(true)
  })

  test('progress names the checks that are still running', async () => {
    const shown: string[] = []
    const one = { name: 'clocks' as const, run: async () => [ok('fine')] }
    await runChecks([one], context, { ...environment, progress: (text) => shown.push(text) })
    expect(shown).toEqual(['Checking clocks …', ''])
  })
})
