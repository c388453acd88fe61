// `npm run test:compose`: docker-compose.yml with the image parlance:local, which must have been built. All services become
// healthy, run as it says, speak with each other as users of NATS of their own, and end cleanly. The project and the ports are
// its own, so an installation beside it goes on.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { check } from '../check.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const speechTest = 'deploy/helm/parlance/files/speech-test.mjs'
const libraryTest = 'scripts/compose-tests/speech-libraries.mjs'
const project = 'parlance-test'
const services = ['agents', 'auth', 'catalog', 'end-users', 'gateway', 'sessions', 'tokens', 'tts', 'webhooks']
const healthyWithinMs = 240_000
const env = { ...process.env, PORT: '127.0.0.1:24180', SESSION_UDP_PORT: '24140', COMPOSE_PROJECT_NAME: project }
const run = async (program, args) =>
  (await promisify(execFile)(program, args, { cwd: root, env, maxBuffer: 2 ** 26 })).stdout

/** Compose is a plugin of Docker, or a program of its own. */
const plugin = await run('docker', ['compose', 'version']).then(
  () => true,
  () => false,
)
const compose = (...args) => (plugin ? run('docker', ['compose', ...args]) : run('docker-compose', args))

const containerOf = async (service) => {
  const id = (await compose('ps', '-q', service)).trim()
  const [container] = JSON.parse(await run('docker', ['inspect', id]))
  return container
}

const becomeHealthy = async () => {
  await compose('up', '--detach', '--no-build')
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

/** Runs a program of this checkout in a container of `cli`, beside the services. Resolves to what it printed. */
const runBesideServices = (program) => {
  const mounts = [dirname(program), 'scripts/model-tests'].flatMap((folder) => [
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
    '-e',
    'PARLANCE_URL=http://gateway:8080',
  ]
  return compose('run', ...options, 'cli', `/tmp/test/${program}`)
}

const speak = async () => {
  const output = await runBesideServices(speechTest)
  assert.match(output, /stream: received .* of sound\nconversation: received/)
  return output.trim().split('\n').join(', ')
}

/** Another base than a Debian has eSpeak NG as WebAssembly alone. */
const useSpeechLibraries = async () => {
  const base = await run('docker', ['run', '--rm', '--network', 'none', 'parlance:local', 'cat', '/etc/os-release'])
  if (!/^ID(_LIKE)?=.*debian/m.test(base)) return 'left out: the base of the image is not a Debian'
  return (await runBesideServices(libraryTest)).trim().split('\n').join(', ')
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
  await compose('stop', ...services)
  for (const service of services) {
    const { State } = await containerOf(service)
    assert.deepEqual({ service, code: State.ExitCode, oom: State.OOMKilled }, { service, code: 0, oom: false })
  }
}

const begunMs = performance.now()
try {
  await check('every service and server becomes healthy', becomeHealthy)
  await check('containers run as user 1000, cannot write their root, and have no capability', checkContainers)
  await check('speech over a stream, and a conversation', speak)
  await check('the image speaks by libespeak-ng and flite, and recognises by pocketsphinx', useSpeechLibraries)
  await check('the doctor in `cli` finds Redis as it should be', checkRedis)
  await check('NATS denies no service what it does', checkPermissions)
  await check('SIGTERM ends every service with 0', endCleanly)
  console.log(`compose tests: passed in ${((performance.now() - begunMs) / 1000).toFixed(0)} s`)
} catch (error) {
  console.log((await compose('logs', '--tail', '5').catch(() => '')).slice(-8000))
  throw error
} finally {
  await compose('down', '--volumes', '--remove-orphans')
}
