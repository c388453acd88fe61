// `npm run test:clients`: starts Parlance in a separate process, and lets clients of vendors speak, recognize and converse with it, each
// the real package in a process of its own.
//
// A client is a file beside this one, `NAME.mjs` or `NAME.py`. It finds PARLANCE_URL, PARLANCE_API_KEY, PARLANCE_AGENT_ID,
// PARLANCE_VOICE_ID, PARLANCE_OTHER_KEYS (of two more workspaces), PARLANCE_OWNER_COOKIE, PARLANCE_TELEPHONY_PORT (where the APIs of
// telephone networks are expected), PARLANCE_WYOMING_PORT and PARLANCE_REPOSITORY (the folder with the documentation, whose programs
// it runs) in its environment, and prints a line of JSON for each check: {"client","check","ok","detail"}, where `client` is the package.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chmod, copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publishAgent } from '../../bench/harness/agent.mjs'
import { mustRun, runChild } from '../child.mjs'
import { ensureInstalled } from '../ensure-installed.mjs'
import { optionsOrExit } from '../options.mjs'
import { runWithPython } from '../run-with-python.mjs'

const endsWithinMs = 300_000

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const installed = fileURLToPath(new URL('../../node_modules/.parlance-clients', import.meta.url))
const python = join(installed, 'python/bin/python')
const page = fileURLToPath(new URL('../../docs/clients.md', import.meta.url))

const usage = `npm run test:clients -- [options]: clients of vendors, each the real package, against a Parlance of its own

  --only NAME   the clients whose file in scripts/client-tests begins so
  --json        prints the results as JSON
  --write       writes the table of docs/clients.md
  -h, --help    prints this`

const options = optionsOrExit(usage, {
  options: { only: { type: 'string' }, json: { type: 'boolean' }, write: { type: 'boolean' } },
})

const commandLine = fileURLToPath(new URL('../../cli/bin/parlance.mjs', import.meta.url))

const ensurePackages = async () => {
  const npm = join(installed, 'npm')
  const manifests = ['package.json', 'package-lock.json'].map((file) => join(here, file))
  await ensureInstalled(npm, manifests, async () => {
    for (const file of manifests) await copyFile(file, join(npm, basename(file)))
    await mustRun('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: npm })
  })
  const pythonPackages = join(here, 'requirements.txt')
  await ensureInstalled(join(installed, 'python'), [pythonPackages], async () => {
    await mustRun('python3', ['-m', 'venv', join(installed, 'python')])
    const install = ['install', '--quiet', '--disable-pip-version-check', '--requirement', pythonPackages]
    await mustRun(python, ['-m', 'pip', ...install])
  })
}

const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const requirements = Object.fromEntries(
  readFileSync(join(here, 'requirements.txt'), 'utf8')
    .split('\n')
    .map((line) => line.split('=='))
    .filter(([, version]) => version !== undefined),
)

/** Files that are not clients. */
const shared = ['main.mjs', 'checks.mjs', 'checks.py', 'telephony.mjs']

const isClient = (name) =>
  !shared.includes(name) && /\.(mjs|py)$/.test(name) && (options.only === undefined || name.startsWith(options.only))

const resultIn = (line) => {
  try {
    const { client, check, ok, detail = '' } = JSON.parse(line)
    return typeof check === 'string' ? [{ client, check, ok: ok === true, detail: String(detail) }] : []
  } catch {
    return []
  }
}

const runPython = "import runpy, sys; runpy.run_path(sys.argv[1], run_name='__main__')"

/** Runs one client to its end. A client that fails, or prints nothing, has a failed check more. */
const runClient = async (file, environment) => {
  const isPython = file.endsWith('.py')
  // Modules are found from the folder of the packages.
  const folder = join(installed, isPython ? 'python' : 'npm')
  for (const each of isPython ? ['checks.py'] : ['checks.mjs', 'telephony.mjs', file])
    await copyFile(join(here, each), join(folder, each))
  // A client in Python may have the name of its package, so its folder must not be searched for modules.
  const program = isPython ? ['-c', runPython, join(here, file)] : [join(folder, file)]
  const begunMs = performance.now()
  const { code, output } = await runChild(isPython ? python : process.execPath, program, {
    cwd: folder,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONUNBUFFERED: '1', ...environment },
    timeout: endsWithinMs,
  })
  const results = output.split('\n').flatMap(resultIn)
  const seconds = Math.round((performance.now() - begunMs) / 1000)
  if (code !== 0 || results.length === 0) {
    const client = results[0]?.client ?? basename(file)
    const detail = `code ${code} after ${seconds} s: ${output.slice(-1500)}`
    results.push({ client, check: 'runs to its end', ok: false, detail })
  }
  const versions = isPython ? requirements : dependencies
  return results.map((result) => ({
    language: isPython ? 'Python' : 'Node.js',
    version: versions[result.client] ?? '',
    ...result,
  }))
}

/** The key of another workspace. */
const createWorkspace = async (name, data) => {
  const command = [commandLine, 'workspace', 'create', name, '--credit', '100', '--key', 'clients', '--json']
  const { code, output } = await runChild(process.execPath, command, { env: { ...process.env, PARLANCE_DATA: data } })
  if (code !== 0) throw new Error(output)
  return JSON.parse(output).key.key
}

/** The cookie of the Owner, whose link signs in once. */
const signIn = async (ownerLink) => {
  const response = await fetch(ownerLink, { redirect: 'manual' })
  return response.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
}

const byClient = (results) => groupBy(results, nameOf)

const nameOf = ({ client, version, language }) => `${client} ${version} (${language})`

/** Node 20 has no `Map.groupBy`. */
const groupBy = (items, keyOf) => {
  const groups = new Map()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

const print = (results) => {
  for (const [name, checks] of byClient(results)) {
    console.log(name)
    for (const { check, ok, detail } of checks) console.log(`  ${ok ? '✓' : '✗'} ${check}${detail && `: ${detail}`}`)
  }
  const failed = results.filter(({ ok }) => !ok).length
  console.log(`${results.length} checks of ${byClient(results).size} clients, ${failed} failed.`)
}

const tableOf = (results) => {
  const rows = [...byClient(results).values()].map((checks) => {
    const [{ client, version, language }] = checks
    return `| \`${client}\` | ${language} | ${version} | ${checks.map(({ check }) => check).join('; ')} |`
  })
  return ['| package | for | version | checks |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

const begin = '<!-- Written by `npm run test:clients -- --write`. -->'
const end = '<!-- The end of the table. -->'

const writeTable = (results) => {
  const text = readFileSync(page, 'utf8')
  const [before, rest = ''] = text.split(begin)
  writeFileSync(page, `${before}${begin}\n\n${tableOf(results)}\n\n${end}${rest.split(end)[1] ?? ''}`)
}

const run = async () => {
  await ensurePackages()
  const { freePort, startStandalone } = await import('@parlance/testing')
  const folder = await mkdtemp(join(tmpdir(), 'parlance-clients-'))
  // As root, Postgres runs under another account, which must be able to enter.
  await chmod(folder, 0o711)
  const [port, telephonyPort, wyomingPort] = [await freePort(), await freePort(), await freePort()]
  const telephonyUrl = `http://127.0.0.1:${telephonyPort}`
  const settings = {
    HOST: '127.0.0.1',
    PARLANCE_DATA: folder,
    STT_PROVIDER: 'pocketsphinx',
    SESSION_DRAIN_MS: '0',
    STREAM_DRAIN_MS: '0',
    TWILIO_API_URL: telephonyUrl,
    TELNYX_API_URL: telephonyUrl,
    PLIVO_API_URL: telephonyUrl,
    OUTBOUND_ALLOW: '127.0.0.1',
  }
  // The first start makes the key, which the Wyoming protocol needs.
  let parlance = startStandalone(folder, port, settings)
  try {
    const { key: wyomingKey } = await parlance.serving
    await parlance.stop()
    const wyoming = { WYOMING_PORT: String(wyomingPort), WYOMING_API_KEY: wyomingKey }
    parlance = startStandalone(folder, port, { ...settings, ...wyoming })
    const { url, key, headers, printed } = await parlance.serving
    const { voices } = await (await fetch(`${url}/v1/voices`, { headers })).json()
    // An Agent that answers without a model of a vendor.
    const target = { url, authorization: headers.authorization }
    const agentId = await publishAgent(target, { llm_provider: 'builtin', llm_model: 'rules' })
    const environment = {
      PARLANCE_URL: url,
      PARLANCE_API_KEY: key,
      PARLANCE_OTHER_KEYS: `${await createWorkspace('Second', folder)},${await createWorkspace('Third', folder)}`,
      PARLANCE_AGENT_ID: agentId,
      PARLANCE_VOICE_ID: voices[0].id,
      PARLANCE_REPOSITORY: root,
      PARLANCE_OWNER_COOKIE: await signIn(/^\s*Owner\s+(\S+)/m.exec(printed)?.[1]),
      PARLANCE_TELEPHONY_PORT: String(telephonyPort),
      PARLANCE_WYOMING_PORT: String(wyomingPort),
    }
    const results = []
    for (const file of readdirSync(here).filter(isClient).sort()) {
      results.push(...(await runClient(file, environment)))
    }
    if (options.json) console.log(JSON.stringify(results))
    else print(results)
    if (results.length === 0 || results.some(({ ok }) => !ok)) process.exitCode = 1
    else if (options.write) writeTable(results)
  } finally {
    await parlance.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

await runWithPython(run)
