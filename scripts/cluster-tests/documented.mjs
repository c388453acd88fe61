import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { documentedCommands } from '../documented-commands.mjs'
import { run } from './kubernetes.mjs'

const chart = fileURLToPath(new URL('../../deploy/helm/parlance', import.meta.url))
const program = fileURLToPath(new URL('../../cli/bin/parlance.mjs', import.meta.url))
const commandsOf = (document) => documentedCommands('npm run test:cluster', document)
const [install, startOperator, createWorkspace, callApi, installProduction] = commandsOf('docs/install.md')
const [installFromChart] = commandsOf('deploy/helm/parlance/README.md')
const [upgrade, rollBack] = commandsOf('docs/upgrade.md')
const [addMail] = commandsOf('docs/people.md')
const [replaceNkeys] = commandsOf('docs/secure.md')
const [stopServices] = commandsOf('docs/backup.md')

/** Runs commands of the documentation in this folder, with this namespace, image and file of values. */
const follow = (commands, { namespace, folder, image, values }, variables = {}) => {
  const adapted = commands
    .replaceAll('namespace speech', `namespace ${namespace}`)
    .replaceAll('deploy/helm/parlance', `'${chart}'`)
    .replace('--set image.registry=registry.example.com', image)
    .replace('-f my-values.yaml', values)
  const npx = `npx() { shift; node '${program}' "$@"; }`
  return run('bash', ['-euc', `${npx}\n${adapted}`], { cwd: folder, env: { ...process.env, ...variables } })
}

/** Calls `work` while the command forwards a free port, with that port. */
const whileForwarding = async (command, work) => {
  const child = spawn('bash', ['-euc', `exec ${command.replace('8080:80 &', ':80')}`], { stdio: ['ignore', 'pipe', 2] })
  try {
    const [, port] = await new Promise((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`${command} ended with ${code}`)))
      createInterface({ input: child.stdout }).once('line', (line) => resolve(/:(\d+) -> /.exec(line)))
    })
    await work(port)
  } finally {
    child.kill()
  }
}

const callAsDocumented = (context, KEY) => {
  const [forward, listVoices, ...speak] = callApi.split('\n')
  return whileForwarding(forward.replace('speech', context.namespace), async (port) => {
    const call = (command) => follow(command.replaceAll('8080', port), context, { KEY })
    const { voices } = JSON.parse(await call(listVoices))
    await call(speak.join('\n').replace('…', voices[0].id))
    const wav = await readFile(join(context.folder, 'speech.wav'))
    assert.equal(wav.subarray(0, 4).toString(), 'RIFF')
    assert.ok(wav.length > 20_000, `${wav.length} bytes of speech`)
  })
}

/** What the file of values for production needs and a cluster may not have: the Gateway API and the Prometheus operator. */
const withoutOperators = [
  'httpRoute.enabled=false',
  'metrics.serviceMonitor.enabled=false',
  'metrics.rules.enabled=false',
  'services.tts.autoscaling.metric=cpu',
]

/** The API server checks what would be installed: there are no servers for it. */
const prepareProduction = async (context) => {
  await writeFile(join(context.folder, 'ca.crt'), 'the certificate of an authority')
  const namespace = `${context.namespace}-production`
  const commands = installProduction.replace('--wait --timeout 15m', `--set ${withoutOperators} --dry-run=server`)
  try {
    await follow(commands, { ...context, namespace, values: '-f my-values.yaml' })
  } finally {
    await run('kubectl', ['delete', 'namespace', namespace, '--ignore-not-found', '--wait=false'])
  }
}

/**
 * Follows the documentation: a trial is installed, operated, upgraded, given a mail server, rolled back and stopped. `values` are
 * options of Helm for the image.
 */
export const followDocumentation = async (kubectl, values) => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-documented-'))
  const image = values.map((each) => `'${each}'`).join(' ')
  const trial = `-f '${chart}/values-trial.yaml' ${image}`
  const context = { namespace: kubectl.namespace, folder, image, values: trial }
  const followHere = (commands, variables) => follow(commands, context, variables)
  const hasMail = async () => JSON.stringify(await kubectl.get('deployment/parlance-auth')).includes('parlance-mail')
  try {
    assert.equal(installFromChart, install)
    await followHere(install)
    await followHere(startOperator)
    const [create, invite] = createWorkspace.split(/^WORKSPACE=.*\nKEY=.*\n/m)
    const created = await followHere(create)
    const [KEY] = /\bawp_prd_\w+/.exec(created)
    const [WORKSPACE] = /\b[0-9a-f]{8}-[0-9a-f-]{27}\b/.exec(created)
    assert.match(await followHere(invite, { WORKSPACE }), /\/invitation\?/)
    await callAsDocumented(context, KEY)
    await followHere(upgrade)
    await followHere(addMail)
    assert.equal(await hasMail(), true)
    await followHere(rollBack)
    assert.equal(await hasMail(), false)
    await followHere(`npx parlance nats-accounts --nkeys nats-keys > users.conf\n${replaceNkeys}`)
    assert.ok('gateway.nk' in (await kubectl.get('secret/parlance-nats')).data)
    await prepareProduction(context)
    await followHere(stopServices)
    const [selector] = /app\.kubernetes\.io\/component in \([^)]*\)/.exec(stopServices)
    const { items } = await kubectl.get('deployments,statefulsets', '--selector', selector)
    assert.ok(items.length >= 9, `${items.length} workloads`)
    assert.deepEqual([...new Set(items.map(({ spec }) => spec.replicas))], [0])
  } finally {
    await rm(folder, { recursive: true })
  }
}
