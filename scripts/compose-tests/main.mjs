// `npm run test:compose`: docker-compose.yml with the image parlance:local, which must have been built. All services become
// healthy, run as it says, speak with each other as users of NATS of their own, and end cleanly. Where the engine has the images of
// the profile `observability`, or can get them, Prometheus reads metrics and spans of it. The project and the ports are separate, so
// another installation on the machine is not affected. Commands are those of the documentation, where it says so.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { writeToneModel } from '../../libs/testing/dist/index.js'
import { check } from '../check.mjs'
import { documentedCommands } from '../documented-commands.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const speechTest = 'deploy/helm/parlance/files/speech-test.mjs'
const libraryTest = 'scripts/compose-tests/speech-libraries.mjs'
const knowledgeTest = 'scripts/compose-tests/knowledge.mjs'
const observabilityTest = 'scripts/compose-tests/observability.mjs'
const project = 'parlance-test'
const services = Object.keys(parse(await readFile(join(root, 'deploy/helm/parlance/files/services.yaml'), 'utf8')))
const healthyWithinMs = 240_000
const env = {
  ...process.env,
  PORT: '127.0.0.1:24180',
  SESSION_UDP_PORT: '24140',
  GRAFANA_PORT: '24130',
  COMPOSE_PROJECT_NAME: project,
  POSTGRES_PASSWORD: 'of-a-test',
  STT_PROVIDER: 'pocketsphinx',
}
const run = async (program, args, variables = {}) =>
  (await promisify(execFile)(program, args, { cwd: root, env: { ...env, ...variables }, maxBuffer: 2 ** 26 })).stdout

/** Compose is a plugin of Docker, or a program of its own. */
const plugin = await run('docker', ['compose', 'version']).then(
  () => true,
  () => false,
)
const compose = (...args) => (plugin ? run('docker', ['compose', ...args]) : run('docker-compose', args))

/**
 * Runs commands of the documentation with the image that has been built. Compose without the plugin cannot wait, so
 * `untilHealthy` follows what starts services.
 */
const runDocumented = (commands, variables) => {
  const withoutBuild = commands.replace(/^docker compose build\n/, '').replace('--build', '--no-build')
  if (plugin) return run('bash', ['-euc', withoutBuild], variables)
  const functions = 'docker() { shift; docker-compose "$@"; }'
  return run('bash', ['-euc', `${functions}\n${withoutBuild.replaceAll('--wait', '--detach')}`], variables)
}
const [begin, startObservability, operate] = documentedCommands('npm run test:compose', 'deploy/README.md')
const [dump, stop] = documentedCommands('npm run test:compose', 'docs/backup.md')
const [upgrade] = documentedCommands('npm run test:compose', 'docs/upgrade.md')
const [verifyModels] = documentedCommands('npm run test:compose', 'docs/speech-models.md')
const [start, createWorkspace, listVoices] = begin.replace('localhost:8080', env.PORT).split('\n')

const containerOf = async (service) => {
  const id = (await compose('ps', '-q', service)).trim()
  const [container] = JSON.parse(await run('docker', ['inspect', id]))
  return container
}

/** The image is in the engine, or was in a registry. */
const isThere = (image) =>
  run('docker', ['image', 'inspect', image])
    .catch(() => run('docker', ['pull', image]))
    .then(
      () => true,
      () => false,
    )

/** The services of the profile `observability`: those whose image is there, and those left out. */
const readObservability = async () => {
  const { services } = parse(await readFile(join(root, 'docker-compose.yml'), 'utf8'), { merge: true })
  const sorted = { present: [], absent: [] }
  for (const [name, { image, profiles }] of Object.entries(services)) {
    if (!profiles?.includes('observability')) continue
    sorted[(await isThere(image)) ? 'present' : 'absent'].push(name)
  }
  return sorted
}

const untilHealthy = async () => {
  const giveUpAtMs = performance.now() + healthyWithinMs
  for (const service of ['nats', 'redis', 'postgres', ...services]) {
    for (;;) {
      const { State } = await containerOf(service)
      if (State.Health?.Status === 'healthy') break
      assert.ok(performance.now() < giveUpAtMs, `${service} is ${State.Status}, ${State.Health?.Status}`)
      await delay(500)
    }
  }
}

const becomeHealthy = async ({ present, absent }) => {
  await runDocumented(start)
  if (absent.length === 0) await runDocumented(startObservability)
  else if (present.length > 0) await compose('up', '--detach', '--no-build', ...present)
  await untilHealthy()
}

const followReadme = async () => {
  const created = await runDocumented(createWorkspace.replace('--key First', '--key First --json'))
  const { workspace, key } = JSON.parse(created)
  const { voices } = JSON.parse(await runDocumented(listVoices, { API_KEY: key.key }))
  assert.ok(voices.length > 0, 'there are voices')
  await runDocumented(operate, { WORKSPACE: workspace.id, KEY: key.id })
  await assert.rejects(runDocumented(listVoices, { API_KEY: key.key }), /401/)
}

const dumpDatabase = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-compose-'))
  try {
    const file = join(folder, 'parlance.dump')
    // Images of Postgres differ in where its socket is.
    const overTcp = `exec -T -e PGHOST=localhost -e PGPASSWORD=${env.POSTGRES_PASSWORD}`
    await runDocumented(dump.replace('exec -T', overTcp).replace('parlance.dump', file))
    assert.equal((await readFile(file)).subarray(0, 5).toString(), 'PGDMP')
  } finally {
    await rm(folder, { recursive: true })
  }
}

const upgradeToItself = async () => {
  await runDocumented(upgrade)
  await untilHealthy()
}

const checkContainers = async () => {
  for (const service of services) {
    const { Config, HostConfig } = await containerOf(service)
    assert.equal(Config.User, '1000:1000', service)
    assert.equal(HostConfig.ReadonlyRootfs, true, service)
    assert.deepEqual(HostConfig.CapDrop, ['ALL'], service)
    assert.ok(
      HostConfig.SecurityOpt.some((option) => option.startsWith('no-new-privileges')),
      service,
    )
  }
  const inImage = ['run', '--rm', '--network', 'none', '--read-only', '--cap-drop', 'ALL', 'parlance:local']
  const listed = await run('docker', [
    ...inImage,
    'sh',
    '-c',
    'id -u; ls LICENSE NOTICE engines/espeak-ng/LICENSE sbom.cdx.json',
  ])
  assert.match(listed, /^1000\n/)
  const materials = JSON.parse(await run('docker', [...inImage, 'cat', 'sbom.cdx.json']))
  assert.equal(materials.bomFormat, 'CycloneDX')
  assert.ok(
    materials.components.some(({ name }) => name === 'express'),
    'express is in the bill of materials',
  )
  const size = Number(await run('docker', ['image', 'inspect', '--format', '{{.Size}}', 'parlance:local']))
  return `${Math.round(size / 1e6)} MB, ${materials.components.length} npm packages in the bill of materials`
}

/** Runs a program of this checkout in a container of `cli`, beside the services. Resolves to the lines that it printed. */
const runBesideServices = async (program, variables = {}) => {
  const mounts = [dirname(speechTest), 'scripts'].flatMap((folder) => [
    '-v',
    `${join(root, folder)}:/tmp/test/${folder}:ro`,
  ])
  const options = [
    '--rm',
    '-T',
    '--no-deps',
    '--entrypoint',
    'node',
    ...mounts,
    ...Object.entries({ PARLANCE_URL: 'http://gateway:8080', ...variables }).flatMap(([name, value]) => [
      '-e',
      `${name}=${value}`,
    ]),
  ]
  const output = await compose('run', ...options, 'cli', `/tmp/test/${program}`)
  return output.trim().split('\n')
}

const speak = async () => {
  const lines = (await runBesideServices(speechTest)).join(', ')
  assert.match(lines, /stream: received .* of sound, conversation: received/)
  return lines
}

/** A base other than Debian has eSpeak NG only as WebAssembly. */
const useSpeechLibraries = async () => {
  const base = await run('docker', ['run', '--rm', '--network', 'none', 'parlance:local', 'cat', '/etc/os-release'])
  if (!/^ID(_LIKE)?=.*debian/m.test(base)) return 'skipped: the base of the image is not Debian'
  return (await runBesideServices(libraryTest)).join(', ')
}

const verifyMountedModels = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-compose-'))
  try {
    // The image runs as another user.
    await chmod(folder, 0o755)
    await writeToneModel(join(folder, 'models/tone'))
    return await run('bash', ['-euc', `cd '${folder}'\n${verifyModels}`])
  } finally {
    await rm(folder, { recursive: true })
  }
}

const observe = async ({ present, absent }) => {
  const leftOut = absent.length > 0 ? [`left out, as their images are not there: ${absent.join(', ')}`] : []
  if (!['collector', 'prometheus'].every((name) => present.includes(name))) return leftOut.join()
  const variables = { PROMETHEUS_URL: 'http://prometheus:9090', SERVICES: services.join(' ') }
  return [...(await runBesideServices(observabilityTest, variables)), ...leftOut].join(', ')
}

const checkRedis = async () => {
  const { findings } = JSON.parse(
    await compose('run', '--rm', '-T', '--no-deps', 'cli', 'doctor', '--only', 'redis', '--json'),
  )
  assert.ok(findings.length > 0, 'the doctor has findings')
  for (const { status, found } of findings) assert.equal(status, 'ok', found)
}

const checkPermissions = async () => {
  const logs = await compose('logs', ...services)
  assert.deepEqual(
    logs.split('\n').filter((line) => /Permissions Violation|Authorization/i.test(line)),
    [],
  )
}

const endCleanly = async () => {
  await runDocumented(stop)
  for (const service of services) {
    const { State } = await containerOf(service)
    assert.deepEqual({ service, code: State.ExitCode, oom: State.OOMKilled }, { service, code: 0, oom: false })
  }
}

const begunMs = performance.now()
const observability = await readObservability()
if (observability.present.includes('collector')) env.OTEL_EXPORTER_OTLP_ENDPOINT = 'http://collector:4318'
try {
  await check('every service and server becomes healthy', () => becomeHealthy(observability))
  await check('containers run as user 1000, cannot write their root, and have no capability', checkContainers)
  await check('speech over a stream, and a conversation', speak)
  await check('an Agent reads a PDF, in a process of its own', async () =>
    (await runBesideServices(knowledgeTest)).join(', '),
  )
  await check('the image speaks by libespeak-ng and flite, and recognizes by pocketsphinx', useSpeechLibraries)
  await check('the image verifies the models of a folder as the documentation says', verifyMountedModels)
  await check('Prometheus reads every service, evaluates the alerts, and has exemplars and spans', () =>
    observe(observability),
  )
  await check('the doctor in `cli` finds Redis as it should be', checkRedis)
  await check('a workspace is created, has voices, and is operated as the documentation says', followReadme)
  await check('the database is dumped as the documentation says', dumpDatabase)
  await check('the commands of an upgrade leave every service healthy', upgradeToItself)
  await check('NATS denies no service what it does', checkPermissions)
  await check('SIGTERM ends every service with 0', endCleanly)
  console.log(`compose tests: passed in ${((performance.now() - begunMs) / 1000).toFixed(0)} s`)
} catch (error) {
  console.log((await compose('logs', '--tail', '5').catch(() => '')).slice(-8000))
  throw error
} finally {
  await compose('down', '--volumes', '--remove-orphans')
}
