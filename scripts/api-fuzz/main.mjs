// `npm run fuzz:api`: starts Parlance in a separate process, and lets Schemathesis generate requests from its OpenAPI
// document and check every answer. The tests of the Python library, which need the same Parlance and the same packages, run before.
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publishAgent } from '../../bench/harness/agent.mjs'
import { mustRun, runChild } from '../child.mjs'
import { ensureInstalled } from '../ensure-installed.mjs'
import { optionsOrExit } from '../options.mjs'
import { runWithPython } from '../run-with-python.mjs'

const leastCases = 3_000
const endsWithinMs = 600_000

const here = fileURLToPath(new URL('.', import.meta.url))
const environment = fileURLToPath(new URL('../../node_modules/.parlance-schemathesis', import.meta.url))
const requirements = join(here, 'requirements.txt')
const pythonLibrary = fileURLToPath(new URL('../../sdks/python', import.meta.url))

const usage = `npm run fuzz:api -- [options] [-- options of Schemathesis]: generated requests of each operation of the API

  --seed N       repeats a run; chosen and printed when left out
  --examples 20  how many requests of each kind are generated
  -h, --help     prints this

Options of Schemathesis, such as --include-operation-id createAgent, leave the tests of the Python library out.`

const { positionals, ...options } = optionsOrExit(usage, {
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    examples: { type: 'string', default: '20' },
  },
})

const environmentOfParlance = (folder) => ({
  HOST: '127.0.0.1',
  PARLANCE_DATA: folder,
  // The tests of the Python library receive webhooks.
  OUTBOUND_ALLOW: '127.0.0.1',
  // A limit that is never reached, although the headers of responses still count requests.
  RATE_LIMIT_PER_MINUTE: '1000000',
  // Do not wait for conversations at the end.
  SESSION_DRAIN_MS: '0',
  STREAM_DRAIN_MS: '0',
})

/** The log has lines of JSON, and what is printed for people. */
const linesOf = (output) =>
  output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))

const fail = (reason) => {
  throw new Error(reason)
}

/** Kept beside the packages, so that it is removed with them. */
const ensureSchemathesis = () =>
  ensureInstalled(environment, [requirements], async () => {
    await mustRun('python3', ['-m', 'venv', environment])
    const install = ['install', '--quiet', '--disable-pip-version-check', '--requirement', requirements]
    await mustRun(join(environment, 'bin/python'), ['-m', 'pip', ...install])
  })

const testPythonLibrary = async ({ url, key }) => {
  const python = join(environment, 'bin/python')
  const variables = { PYTHONDONTWRITEBYTECODE: '1', PARLANCE_URL: url, PARLANCE_API_KEY: key }
  const options = { cwd: pythonLibrary, env: { ...process.env, ...variables } }
  await mustRun(python, ['-m', 'mypy', '--cache-dir', '/dev/null'], options)
  await mustRun(python, ['-m', 'pytest', '--quiet', '-p', 'no:cacheprovider'], options)
  console.log('The tests of the Python library passed.')
}

const generateRequests = async ({ url, key }, agentId, folder) => {
  const report = join(folder, 'report.json')
  const config = join(here, 'schemathesis.toml')
  const generated = ['--seed', options.seed, '--max-examples', options.examples]
  // Its progress is for a terminal. Elsewhere its report is printed only when it found a failure.
  const stdio = process.stdout.isTTY ? 'inherit' : 'pipe'
  const { code, output } = await runChild(
    join(environment, 'bin/schemathesis'),
    [
      '--config-file',
      config,
      'run',
      `${url}/v1/openapi.json`,
      ...generated,
      '--report-json-path',
      report,
      ...positionals,
    ],
    {
      cwd: folder,
      env: {
        ...process.env,
        PYTHONPATH: here,
        PYTHONDONTWRITEBYTECODE: '1',
        PARLANCE_URL: url,
        PARLANCE_API_KEY: key,
        PARLANCE_AGENT_ID: agentId,
      },
      stdio,
      timeout: endsWithinMs,
    },
  )
  if (code !== 0) fail(`${output}Schemathesis found failures, which are above.`)
  return JSON.parse(readFileSync(report, 'utf8'))
}

/** Schemathesis has checked the responses; this checks that it sent enough, and that Parlance logged no error. */
const judge = ({ test_cases: cases, operations }, lines) => {
  const errors = lines.filter(({ level }) => level === 'error' || level === 'fatal')
  for (const line of errors.slice(0, 10)) console.error(JSON.stringify(line))
  if (errors.length > 0) fail(`Parlance logged ${errors.length} errors.`)
  const askedEnough = operations.tested === operations.total && cases.generated >= leastCases
  if (positionals.length === 0 && !askedEnough) {
    fail(`Only ${cases.generated} requests to ${operations.tested} of ${operations.total} operations were generated.`)
  }
  console.log(`${cases.generated} requests to ${operations.tested} operations: no failure.`)
}

const run = async () => {
  await ensureSchemathesis()
  const { freePort, startStandalone } = await import('@parlance/testing')
  const folder = await mkdtemp(join(tmpdir(), 'parlance-api-fuzz-'))
  // As root, Postgres runs under another account, which must be able to enter.
  await chmod(folder, 0o711)
  console.log(`Requests by seed ${options.seed}.`)
  try {
    const parlance = startStandalone(folder, await freePort(), environmentOfParlance(folder))
    try {
      const serving = await parlance.serving
      if (positionals.length === 0) await testPythonLibrary(serving)
      const target = { url: serving.url, authorization: serving.headers.authorization }
      // So that generated requests reach more than a 404.
      const agentId = await publishAgent(target, { llm_provider: 'builtin', llm_model: 'rules' })
      const report = await generateRequests(serving, agentId, folder)
      judge(report, linesOf(parlance.output()))
    } catch (error) {
      const { exitCode, signalCode } = parlance.child
      const hasEnded = exitCode !== null || signalCode !== null
      if (hasEnded) error.message += `\nParlance ended. Its log ends with:\n${parlance.output().slice(-2000)}`
      throw error
    } finally {
      await parlance.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

await runWithPython(run)
