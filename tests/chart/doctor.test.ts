import { checkNames } from '../../admin/src/doctor/check.js'
import { describeWithHelm } from './describe-with-helm.js'
import { networkPairs } from './network-pairs.js'
import { type KubernetesObject, podSpecOf, render } from './rendering.js'
import { knownVariables, services } from './service-environment.js'

interface Variable {
  readonly name: string
  readonly valueFrom?: { readonly secretKeyRef?: { readonly optional?: boolean } }
}

await describeWithHelm('the Job that checks an installation', ([helm]) => {
  const jobIn = (objects: readonly KubernetesObject[]) =>
    objects.find(
      ({ kind, metadata }) => kind === 'Job' && metadata.labels?.['app.kubernetes.io/component'] === 'doctor',
    )
  let objects: KubernetesObject[] = []
  beforeAll(async () => {
    // The key of a speech server, as an engines file names it.
    const key = JSON.stringify([{ name: 'SPEECH_SERVER_KEY', value: 'key' }])
    objects = await render(helm!, 'ci/doctor-values.yaml', '--set-json', `services.tts.extraEnv=${key}`)
  })
  const container = () => podSpecOf(jobIn(objects)!).containers[0]

  test('exists when it is enabled, and runs only with `helm test`', async () => {
    expect(jobIn(objects)?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'test' })
    expect(jobIn(await render(helm!, 'values-trial.yaml'))).toBeUndefined()
  })

  test('is called with checks and services that exist', () => {
    const { command } = container()
    const after = (option: string) => command[command.indexOf(option) + 1].split(',')
    expect(command.slice(0, 3)).toEqual(['node', 'cli/bin/parlance.mjs', 'doctor'])
    for (const check of after('--only')) expect(checkNames).toContain(check)
    expect(new Set(after('--service'))).toEqual(new Set(services.keys()))
    const [folder] = after('--nats-users')
    expect(container().volumeMounts).toContainEqual({ name: 'nats-users', mountPath: folder, readOnly: true })
  })

  test('has variables that a service reads, each once, and those of all Secrets, which may be missing', () => {
    const variables: Variable[] = container().env
    const names = variables.map(({ name }) => name)
    const known = new Set([...services.values()].flatMap(knownVariables))
    expect(names.filter((name) => !known.has(name))).toEqual(['SPEECH_SERVER_KEY'])
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    const secrets = variables.filter(({ valueFrom }) => valueFrom?.secretKeyRef?.optional === true)
    expect(secrets.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['API_KEY_PEPPERS', 'CALENDAR_FEED_KEY', 'DATABASE_URL', 'REDIS_URL', 'TURN_SECRET']),
    )
    expect(names).toEqual(expect.arrayContaining(['TURN_URLS', 'MODELS_DIR', 'TTS_ENGINES_FILE', 'NATS_TLS_CA_FILE']))
  })

  test('reads the passwords of the users of NATS from the Secret that the chart makes for a trial', async () => {
    const trial = await render(helm!, 'values-trial.yaml', '--set', 'doctor.enabled=true')
    const { name, secret } = podSpecOf(jobIn(trial)!).volumes.find(
      ({ name }: { name: string }) => name === 'nats-users',
    )
    const made = trial.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === secret.secretName)
    expect({ name, users: Object.keys(made?.stringData ?? made?.data ?? {}) }).toEqual({
      name: 'nats-users',
      users: expect.arrayContaining([...services.keys(), 'cli'].map((user) => `${user}.password`)),
    })
  })

  test('may reach the servers of a trial, which let it in', async () => {
    const trial = await render(helm!, 'values-trial.yaml', '--set', 'doctor.enabled=true')
    const { ofClients, ofServers } = networkPairs(trial)
    for (const pairs of [ofClients, ofServers]) {
      expect(pairs).toEqual(expect.arrayContaining(['doctor → nats', 'doctor → postgres', 'doctor → redis']))
    }
  })
})
