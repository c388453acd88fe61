import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { maxAudioFileBytes } from '@parlance/contracts'
import { freePort } from '@parlance/testing'
import { describeWithHelm } from './describe-with-helm.js'
import { networkPairs } from './network-pairs.js'
import { type LabelledObject, schemaProblems, typeProblems } from './object-types.js'
import { podSecurityProblems } from './pod-security.js'
import { chart, type KubernetesObject, podSpecOf, render, valuesFiles } from './rendering.js'
import { environmentProblems, services } from './service-environment.js'

const isService = ({ kind, metadata }: KubernetesObject) =>
  ['Deployment', 'StatefulSet'].includes(kind) && services.has(metadata.labels?.['app.kubernetes.io/component'] ?? '')

await describeWithHelm('the Helm chart', (helms) => {
  const rendered = new Map<string, KubernetesObject[]>()
  const of = (file: string) => rendered.get(`3.17 ${file}`)!
  const find = (file: string, kind: string, name: string) =>
    of(file).find((object) => object.kind === kind && object.metadata.name === `speech-parlance-${name}`)

  beforeAll(async () => {
    for (const helm of helms) {
      await Promise.all(
        valuesFiles.map(async (file) => rendered.set(`${helm.version} ${file}`, await render(helm, file))),
      )
    }
  })

  /** The objects of one version of Helm, which are those of the other as well. */
  const labeled = (): LabelledObject[] =>
    valuesFiles.flatMap((file) =>
      of(file).map((object) => ({ label: `${file} ${object.kind} ${object.metadata.name}`, object })),
    )

  test('both versions of Helm render each of the (at least twelve) files of values identically', () => {
    expect(valuesFiles.length).toBeGreaterThanOrEqual(12)
    // A trial makes random secrets.
    for (const file of valuesFiles.filter((one) => one !== 'values-trial.yaml')) {
      expect(rendered.get(`4.1 ${file}`)).toEqual(rendered.get(`3.17 ${file}`))
    }
  })

  test.each(helms)('Helm $version lints it strictly with every file of values', async (helm) => {
    const runs = await Promise.all(
      valuesFiles.map((file) => helm.run('lint', '--strict', chart, '-f', `${chart}/${file}`)),
    )
    expect(runs.filter(({ code }) => code !== 0).map(({ output }) => output)).toEqual([])
  })

  test('every object has the fields of its kind and no others, and follows its schema', async () => {
    const objects = labeled()
    expect(objects.length).toBeGreaterThan(700)
    expect(await typeProblems(objects)).toEqual([])
    expect(schemaProblems(objects)).toEqual([])
  })

  test('no two objects have one name, except the hooks that create and remove the mark of a roll-back', () => {
    const removesMark = ({ metadata: { name, annotations } }: KubernetesObject) =>
      name.endsWith('-rollback') && annotations?.['helm.sh/hook'] === 'post-rollback,post-upgrade'
    for (const [key, objects] of rendered) {
      const names = objects
        .filter((object) => !removesMark(object))
        .map(({ kind, metadata }) => `${key} ${kind} ${metadata.name}`)
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    }
  })

  test('every pod is "restricted", except for media on the network of the host', () => {
    for (const file of valuesFiles) {
      const problems = of(file).flatMap(podSecurityProblems)
      const expected = ['Deployment speech-parlance-sessions: hostNetwork is true']
      expect([file, ...problems]).toEqual([file, ...(file === 'ci/host-network-values.yaml' ? expected : [])])
    }
  })

  test('no pod has a token of a service account or a writable root', () => {
    for (const object of valuesFiles.flatMap(of)) {
      const spec = podSpecOf(object)
      if (spec?.containers === undefined) continue
      expect(spec.automountServiceAccountToken).toBe(false)
      const own = spec.containers.filter(({ name }: { name: string }) => name !== 'beside')
      for (const { securityContext } of own) expect(securityContext.readOnlyRootFilesystem).toBe(true)
    }
  })

  test('every service is in it, only with variables that it reads, and with all that it requires', () => {
    const names = of('ci/minimal-values.yaml')
      .filter(isService)
      .map(({ metadata }) => metadata.labels?.['app.kubernetes.io/component'])
    expect(names.sort()).toEqual([...services.keys()].sort())
    const added: Record<string, string[]> = {
      'ci/everything-extra-values.yaml': ['NODE_OPTIONS'],
      'ci/jobs-values.yaml': ['NODE_EXTRA_CA_CERTS'],
    }
    for (const file of valuesFiles) {
      const own = added[file] ?? []
      const problems = of(file)
        .filter(isService)
        .flatMap((workload) => environmentProblems(workload, own))
      expect([file, ...problems]).toEqual([file])
    }
  })

  test('pods that talk are exactly the services and the servers that they need', () => {
    const server = { bus: 'nats', ttl: 'redis', database: 'postgres' }
    const needed = [...services.values()].flatMap(({ name, needs }) => needs.map((need) => `${name} → ${server[need]}`))
    const pairs = networkPairs(of('values-trial.yaml'))
    expect(pairs.ofServers).toEqual([...needed, 'operator → nats', 'speech-test → nats'].sort())
    expect(pairs.ofClients).toEqual(
      [...needed, 'operator → nats', 'speech-test → gateway', 'speech-test → nats'].sort(),
    )
    expect(find('values-trial.yaml', 'NetworkPolicy', 'default-deny')?.spec).toEqual({
      podSelector: { matchLabels: { 'app.kubernetes.io/instance': 'speech' } },
      policyTypes: ['Ingress', 'Egress'],
    })
  })

  test('the migration names nothing that the release makes', () => {
    for (const file of valuesFiles) {
      const objects = of(file)
      const hook = objects.find(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade')
      if (hook === undefined) continue
      const own = objects.filter((object) => object !== hook && !['NetworkPolicy'].includes(object.kind))
      const text = JSON.stringify(podSpecOf(hook))
      expect(
        own.filter(({ metadata }) => text.includes(`"${metadata.name}"`)).map(({ metadata }) => metadata.name),
      ).toEqual([])
    }
  })

  test('a pod is killed only 20 s after its drain, when everything that it finishes has ended', () => {
    const graceOf = (file: string) =>
      Object.fromEntries(
        of(file)
          .filter(isService)
          .map((one) => [
            one.metadata.labels?.['app.kubernetes.io/component'],
            podSpecOf(one).terminationGracePeriodSeconds,
          ]),
      )
    expect(graceOf('ci/minimal-values.yaml')).toMatchObject({
      sessions: 5 + 600 + 20,
      gateway: 5 + 120 + 20,
      tts: 5 + 15 + 20,
    })
  })

  test('an upgrade to another version leaves the servers of a trial as they are', async () => {
    const serversOf = async (tag: string) =>
      (await render(helms[0]!, 'values-trial.yaml', '--set', `image.tag=${tag}`))
        .filter(({ kind, metadata }) => kind === 'StatefulSet' && /-(nats|redis|postgres)$/.test(metadata.name))
        .map(({ metadata, spec }) => ({ name: metadata.name, template: spec.template }))
    const before = await serversOf('1.0.0')
    expect(before).toHaveLength(3)
    expect(await serversOf('1.0.1')).toEqual(before)
  })

  test('a workload beside an autoscaler starts with the replicas that the autoscaler keeps at least', async () => {
    const scaling = 'services.tts.autoscaling.enabled=true,services.tts.autoscaling.minReplicas=4'
    for (const helm of helms) {
      const objects = await render(helm, 'ci/minimal-values.yaml', '--set', scaling)
      const replicasOf = (name: string) =>
        objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === `speech-parlance-${name}`)!.spec
          .replicas
      expect([replicasOf('tts'), replicasOf('auth')]).toEqual([4, 2])
    }
  })

  test('in an upgrade or roll-back the pods of each service wait for their turn, those of tts longest, and others do not wait', async () => {
    type Rollout = { readonly args?: readonly string[]; readonly secondsAgo?: number; readonly hook?: string }
    /** Seconds that a pod of each service waits which starts some time after the release was rendered, while the objects of a hook exist. */
    const waitsIn = async ({ args = [], secondsAgo = 0, hook }: Rollout) => {
      const objects = await render(helms[0]!, 'values-trial.yaml', ...args)
      const folder = await mkdtemp(join(tmpdir(), 'parlance-rollout-'))
      try {
        const mounted = objects.filter(({ kind, metadata: { name, annotations } }) => {
          const hooks = annotations?.['helm.sh/hook']?.split(',')
          const exists = hooks === undefined || (hook !== undefined && hooks.includes(hook))
          return kind === 'ConfigMap' && /-roll(out|back)$/.test(name) && exists
        })
        for (const [file, content] of mounted.flatMap(({ data }) => Object.entries<string>(data ?? {}))) {
          const number = Number(content)
          await writeFile(join(folder, file), number > 0 ? String(number - secondsAgo) : content)
        }
        // In place of waiting it prints how long it would.
        await writeFile(join(folder, 'sleep'), '#!/bin/sh\necho "$1"\n', { mode: 0o755 })
        const waits = objects.filter(isService).map(async (object) => {
          const [program, options, script] = podSpecOf(object).initContainers[0].command
          const { stdout } = await promisify(execFile)(
            program,
            [options, script.replace('/etc/parlance/rollout', folder)],
            { env: { PATH: `${folder}:${process.env.PATH}` } },
          )
          return [object.metadata.labels!['app.kubernetes.io/component']!, Number(stdout)] as const
        })
        return new Map(await Promise.all(waits))
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    }
    const upgraded = await waitsIn({ args: ['--is-upgrade'] })
    const ofOthers = [...upgraded].filter(([name]) => name !== 'tts').map(([, seconds]) => seconds)
    expect(Math.max(...ofOthers)).toBeLessThan(upgraded.get('tts')!)
    expect(upgraded.get('tts')).toBeGreaterThan(10)
    const aDayAgo = { args: ['--is-upgrade'], secondsAgo: 86_400 }
    expect(await waitsIn({ ...aDayAgo, hook: 'pre-rollback' })).toEqual(upgraded)
    for (const rollout of [{}, aDayAgo, { ...aDayAgo, hook: 'post-rollback' }]) {
      expect(new Set((await waitsIn(rollout)).values())).toEqual(new Set([0]))
    }
  })

  test('the servers of a trial are from the registry of the image, unless they name one', async () => {
    const set = 'image.registry=registry.example:5000/,trial.redis.image=docker.io/library/redis:7'
    const objects = await render(helms[0]!, 'values-trial.yaml', '--set', set)
    const imageOf = (name: string) =>
      podSpecOf(objects.find(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name.endsWith(`-${name}`))!)
        .containers[0].image
    expect(imageOf('nats')).toBe('registry.example:5000/nats:2.10-alpine')
    expect(imageOf('redis')).toBe('docker.io/library/redis:7')
  })

  test('the notes and `helm test` have the same commands', async () => {
    const { output } = await helms
      .at(-1)!
      .run('install', 'speech', chart, '--values', `${chart}/values-trial.yaml`, '--dry-run=client')
    const commands: string[] = find('values-trial.yaml', 'ConfigMap', 'speech-test')!
      .data['first-commands.txt'].trim()
      .split('\n')
    expect(commands).toHaveLength(2)
    for (const command of commands)
      expect(output).toContain(`deployment/speech-parlance-operator -- \\\n    ${command}\n`)
  })

  test('the gateway keeps idle connections for 15 s, and no longer than streams', async () => {
    const keptMs = async (...args: readonly string[]) => {
      const objects = await render(helms[0]!, 'ci/minimal-values.yaml', ...args)
      const gateway = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('-gateway'))
      const variables: { name: string; value?: string }[] = podSpecOf(gateway!).containers[0].env
      return variables.find(({ name }) => name === 'HTTP_DRAIN_MS')?.value
    }
    expect(await keptMs()).toBe('15000')
    expect(await keptMs('--set', 'services.gateway.drainSeconds=3')).toBe('3000')
  })

  test('a pod without time before SIGTERM has no hook, as API servers before 1.33 refuse a sleep of 0 s', async () => {
    const lifecycleOf = async (...args: readonly string[]) => {
      const objects = await render(helms[0]!, 'ci/minimal-values.yaml', ...args)
      const tts = objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('-tts'))
      return podSpecOf(tts!).containers[0].lifecycle
    }
    expect(await lifecycleOf()).toEqual({ preStop: { sleep: { seconds: 5 } } })
    expect(await lifecycleOf('--set', 'defaults.preStopSeconds=0')).toBeUndefined()
  })

  test('an Ingress has the annotations of the values alone, and its paths lead to the gateway unless they name a backend', () => {
    const { metadata, spec } = of('ci/ingress-values.yaml').find(({ kind }) => kind === 'Ingress')!
    expect(Object.keys(metadata.annotations!)).toEqual(
      ['proxy-body-size', 'timeout-tunnel'].map((name) => `haproxy-ingress.github.io/${name}`),
    )
    const megabytes = Number.parseInt(metadata.annotations!['haproxy-ingress.github.io/proxy-body-size']!, 10)
    expect(megabytes * 1024 * 1024).toBeGreaterThanOrEqual(maxAudioFileBytes + 1024 * 1024)
    const gateway = { name: 'speech-parlance-gateway', port: { name: 'http' } }
    expect(spec.rules[0].http.paths).toEqual([
      {
        path: '/.well-known/acme-challenge',
        pathType: 'Prefix',
        backend: { service: { name: 'acme', port: { number: 80 } } },
      },
      { path: '/', pathType: 'Prefix', backend: { service: gateway } },
    ])
  })

  test('with gitOps two renders are equal, also of an upgrade, and make no secret', async () => {
    for (const helm of helms) {
      const first = await render(helm, 'ci/gitops-values.yaml')
      expect(await render(helm, 'ci/gitops-values.yaml', '--is-upgrade')).toEqual(first)
      expect(first.filter(({ kind }) => kind === 'Secret')).toEqual([])
      expect(first.find(({ metadata }) => metadata.name === 'speech-parlance-rollout')!.data).toEqual({ begun: '0' })
    }
  })

  test('podOverrides are merged into what the chart makes, and DNS, host aliases and the behavior of autoscalers are those of the values', () => {
    const file = 'ci/everything-extra-values.yaml'
    const gateway = of(file).find(({ kind, metadata }) => kind === 'Deployment' && metadata.name.endsWith('-gateway'))!
    expect(podSpecOf(gateway)).toMatchObject({
      schedulerName: 'own',
      securityContext: { fsGroup: 2000, runAsNonRoot: true, supplementalGroups: [2000] },
      hostAliases: [{ ip: '192.0.2.5', hostnames: ['postgres.example.internal'] }],
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['192.0.2.53'], options: [{ name: 'ndots', value: '1' }] },
      containers: [{ name: 'gateway' }, { name: 'beside' }],
    })
    const autoscaler = of(file).find(({ kind }) => kind === 'HorizontalPodAutoscaler')!
    expect(autoscaler.spec.behavior).toEqual({
      scaleDown: { stabilizationWindowSeconds: 300 },
      scaleUp: { policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
    })
  })

  test.each([
    ['ci/minimal-values.yaml', '', 'curl http://localhost:8080/v1/voices'],
    ['values-production.yaml', '', 'curl https://speech.example.com/v1/voices'],
    ['ci/ingress-values.yaml', '', 'curl https://speech.example.com/v1/voices'],
    ['ci/load-balancer-values.yaml', '', 'curl http://ADDRESS:443/v1/voices'],
    ['ci/minimal-values.yaml', 'ingress.enabled=true,ingress.hosts={a.example}', 'curl http://a.example/v1/voices'],
    [
      'ci/minimal-values.yaml',
      'ingress.enabled=true,ingress.hosts={a.example},ingress.tls[0].secretName=a',
      'curl https://a.example/v1/voices',
    ],
  ])('the notes of %s with "%s" say how the API is called: %s', async (file, set, call) => {
    const values = ['--values', `${chart}/${file}`, ...(set === '' ? [] : ['--set', set])]
    // Helm 3 does this with a cluster alone.
    const { output } = await helms.at(-1)!.run('install', 'speech', chart, ...values, '--dry-run=client')
    expect(output.match(/curl \S+/g)).toEqual([call])
  })

  test('the probes of a container differ', () => {
    const { startupProbe, readinessProbe, livenessProbe } = podSpecOf(
      find('ci/minimal-values.yaml', 'Deployment', 'tts')!,
    ).containers[0]
    expect(new Set([startupProbe, readinessProbe, livenessProbe].map((probe) => JSON.stringify(probe))).size).toBe(3)
    expect([readinessProbe, livenessProbe].map(({ httpGet }) => httpGet.path)).toEqual(['/readyz', '/healthz'])
  })

  test('the startup probe waits until the process is ready, and fails only by its time limit', async () => {
    const { startupProbe } = podSpecOf(find('ci/minimal-values.yaml', 'Deployment', 'tts')!).containers[0]
    expect(startupProbe).toMatchObject({ timeoutSeconds: 180, failureThreshold: 1 })
    const [program, ...args] = startupProbe.exec.command
    const port = await freePort()
    const probe = promisify(execFile)(program, args, { env: { PATH: process.env.PATH, HEALTH_PORT: String(port) } })
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url!)
      response.writeHead(asked.length < 3 ? 503 : 200).end()
    })
    server.listen(port, '127.0.0.1')
    await probe
    server.close()
    expect(asked).toEqual(['/readyz', '/readyz', '/readyz'])
  })

  const egressPortsOf = (file: string, name: string) =>
    find(file, 'NetworkPolicy', name)!.spec.egress.flatMap(({ ports }: { ports: { port: number }[] }) =>
      ports.map(({ port }) => port),
    )
  const variable = (file: string, service: string, wanted: string) =>
    podSpecOf(find(file, 'Deployment', service)!).containers[0].env.find(
      ({ name }: { name: string }) => name === wanted,
    )
  const withoutEither = 'ci/minimal-values.yaml'

  test('auth reaches the mail server, with the SMTP_URL of the Secret, only where mails are sent', () => {
    const mail = 'ci/mail-values.yaml'
    expect(variable(mail, 'auth', 'SMTP_URL').valueFrom).toEqual({
      secretKeyRef: { name: 'parlance-mail', key: 'SMTP_URL' },
    })
    expect(variable(mail, 'auth', 'MAIL_FROM').value).toBe('Parlance <parlance@example.com>')
    expect(variable(mail, 'auth', 'PUBLIC_URL').value).toBe('https://speech.example.com')
    expect(variable(mail, 'gateway', 'PUBLIC_URL').value).toBe('https://speech.example.com')
    expect(variable(mail, 'gateway', 'TRUSTED_PROXIES').value).toBe('10.0.0.0/8,fd00::/8')
    expect(egressPortsOf(mail, 'auth')).toContain(2525)
    expect(egressPortsOf(mail, 'agents')).not.toContain(2525)
    for (const name of ['SMTP_URL', 'MAIL_FROM']) expect(variable(withoutEither, 'auth', name)).toBeUndefined()
    for (const port of [465, 587]) expect(egressPortsOf(withoutEither, 'auth')).not.toContain(port)
  })

  test('auth reaches the OpenID Connect provider, with the client of the Secret, only where one is set', () => {
    const oidc = 'ci/oidc-values.yaml'
    expect(variable(oidc, 'auth', 'OIDC_CLIENT_SECRET').valueFrom).toEqual({
      secretKeyRef: { name: 'parlance-oidc', key: 'OIDC_CLIENT_SECRET' },
    })
    const plain = { OIDC_ISSUER: 'https://login.example.com', OIDC_CLIENT_ID: 'parlance', OIDC_NAME: 'Acme' }
    for (const [name, value] of Object.entries(plain)) {
      expect(variable(oidc, 'auth', name).value).toBe(value)
      expect([variable(oidc, 'gateway', name), variable(withoutEither, 'auth', name)]).toEqual([undefined, undefined])
    }
    expect(egressPortsOf(oidc, 'auth')).toContain(8443)
    expect(egressPortsOf(oidc, 'agents')).not.toContain(8443)
    expect(egressPortsOf(withoutEither, 'auth')).not.toContain(443)
  })

  test('each replica of sessions has a load balancer and announces its address', () => {
    const file = 'values-production.yaml'
    const balancers = of(file).filter(({ kind, spec }) => kind === 'Service' && spec.type === 'LoadBalancer')
    expect(balancers.map(({ spec }) => spec.selector['apps.kubernetes.io/pod-index'])).toEqual(['0', '1', '2'])
    const [, , script] = podSpecOf(find(file, 'StatefulSet', 'sessions')!).containers[0].command
    expect(script).toContain('set -- 203.0.113.10 203.0.113.11 203.0.113.12')
  })
})
