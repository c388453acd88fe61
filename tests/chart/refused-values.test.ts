import { describeWithHelm } from './describe-with-helm.js'
import { chart } from './rendering.js'

const minimal = ['--values', `${chart}/ci/minimal-values.yaml`]

/** Invalid values, and a part of Helm's error for each. */
const refused: ReadonlyArray<readonly [what: string, set: string, error: RegExp]> = [
  ['an unknown key', 'replicaCount=2', /replicaCount/],
  ['an unknown key of a service', 'services.gateway.replica=2', /replica/],
  ['an unknown service', 'services.gatway.replicas=2', /gatway/],
  ['a variable that the service does not read', 'services.tts.env.STREAM_LIMIT=1', /STREAM_LIMIT/],
  ['a variable that only some services read, for all', 'env.SESSION_LIMIT=1', /SESSION_LIMIT/],
  ['a value that the service refuses', 'services.sessions.env.SESSION_LIMIT=0', /SESSION_LIMIT/],
  ['a secret among the variables', 'services.sessions.env.LLM_OPENAI_API_KEY=sk', /LLM_OPENAI_API_KEY/],
  ['keys among the variables', 'services.agents.env.MODEL_PROVIDER_KEYS=1:key', /MODEL_PROVIDER_KEYS/],
  ['the address of a mail server with its password', 'services.auth.env.SMTP_URL=smtps://a:b@mail', /SMTP_URL/],
  ['a reference to a Secret for a variable that is not secret', 'secrets.references.LOG_LEVEL.name=a', /LOG_LEVEL/],
  [
    'the drain of sessions as a variable',
    'services.sessions.env.SESSION_DRAIN_MS=1',
    /use services.sessions.drainSeconds/,
  ],
  [
    'the drain of gateways as a variable',
    'services.gateway.env.STREAM_DRAIN_MS=1',
    /use services.gateway.drainSeconds/,
  ],
  ['the port of media as a variable', 'services.sessions.env.SESSION_UDP_PORT=40001', /use media.port/],
  ['the engines file as a variable', 'services.tts.env.TTS_ENGINES_FILE=/a', /use engines/],
  ['the folder of models as a variable', 'services.tts.env.MODELS_DIR=/a', /use models.enabled/],
  ['a key of a service that no Job has', 'jobs.replicas=2', /replicas/],
  ['a number of the wrong type', 'services.tts.replicas=two', /replicas/],
  ['an unknown mode of media', 'media.mode=loadbalancer', /mode/],
  ['an invalid address', 'media.loadBalancer.addresses={media.example.com}', /addresses/],
  ['fewer addresses than replicas', 'media.loadBalancer.addresses={203.0.113.1}', /1 addresses for 2 replicas/],
  ['an invalid digest', 'image.digest=latest', /digest/],
  ['authentication without its Secret', 'nats.authentication=nkey', /existingSecret/],
  ['a Secret that is both created and existing', 'secrets.create=true', /exclude each other/],
  ['no address of NATS', 'nats.url=', /nats.url is required/],
  ['no Secret', 'secrets.existingSecret=', /secrets.existingSecret is required/],
  ['models whose licenses were not accepted', 'models.enabled=true,models.install={a}', /acceptLicenses/],
  [
    'capacity of a service that does not count any',
    'services.auth.autoscaling.enabled=true,services.auth.autoscaling.metric=usedCapacity',
    /no capacity/,
  ],
  [
    'capacity that no rule records',
    'services.tts.autoscaling.enabled=true,services.tts.autoscaling.metric=usedCapacity',
    /metrics.rules.enabled/,
  ],
  ['an Ingress without hosts', 'ingress.enabled=true', /ingress.hosts is required/],
  ['an HTTPRoute without a Gateway', 'httpRoute.enabled=true', /httpRoute.parentRefs is required/],
  [
    'mails without an address for their links',
    'mail.from=parlance@example.com',
    /publicUrl is required with mail.from/,
  ],
  [
    'fewer replicas at most than at least',
    'services.tts.autoscaling.enabled=true,services.tts.autoscaling.minReplicas=11',
    /minReplicas is 11, above maxReplicas, which is 10/,
  ],
  ['a tag that no label can have', `image.tag=${'a'.repeat(80)}`, /image.tag: .* at most 63/],
  ['a label that no object can have', 'commonLabels.team=a b', /team: "a b" is the value of a label/],
  ['a value under its earlier name', 'extraObjects[0].kind=Secret', /: extraObjects is now called extraManifests\n/],
  [
    'a value of an Ingress that was removed',
    'ingress.enabled=true,ingress.hosts={a.example},ingress.maxBodyMegabytes=30',
    /: ingress.maxBodyMegabytes was removed, .* set its annotation in ingress.annotations, .*\n/,
  ],
  [
    'secrets that each render would make again',
    'gitOps=true,secrets.create=true,secrets.existingSecret=,migrations.enabled=false',
    /secrets.create and gitOps exclude each other/,
  ],
  [
    'a server of an unknown name without its port',
    'networkPolicy.servers.olama.namespace=models',
    /networkPolicy.servers.olama.port is required, .* ollama/,
  ],
  [
    'a server that an unknown service calls',
    'networkPolicy.servers.ollama.namespace=models,networkPolicy.servers.ollama.services={llm}',
    /there is no service llm/,
  ],
  ['a drain that is longer than an hour', 'services.sessions.drainSeconds=7200', /drainSeconds/],
]

await describeWithHelm('the Helm chart takes', ([helm]) => {
  test.each(['MODEL_PROVIDER_KEYS', 'SMTP_URL', 'OIDC_CLIENT_SECRET', 'DATABASE_URL'])(
    '%s from a Secret that the values name',
    async (variable) => {
      const set = `secrets.references.${variable}.name=other,secrets.references.${variable}.key=own`
      const features = 'publicUrl=https://a.example,mail.from=a@a.example,oidc.issuer=https://b.example,oidc.clientId=c'
      const { code, output } = await helm!.run('template', 'speech', chart, ...minimal, '--set', `${set},${features}`)
      expect(code).toBe(0)
      expect(output.replaceAll(/\s+/g, ' ')).toContain(
        `- name: ${variable} valueFrom: secretKeyRef: name: other key: own`,
      )
    },
  )

  test('usedCapacity that rules of the user record, or that KEDA reads from Prometheus', async () => {
    const scaling = 'services.tts.autoscaling.enabled=true,services.tts.autoscaling.metric=usedCapacity'
    for (const set of ['metrics.rules.recordedElsewhere=true', 'services.tts.autoscaling.provider=keda']) {
      const { code } = await helm!.run('template', 'speech', chart, ...minimal, '--set', `${scaling},${set}`)
      expect(code).toBe(0)
    }
  })
})

await describeWithHelm('the Helm chart refuses', (helms) => {
  test.each(refused)('%s', async (_what, set, error) => {
    for (const helm of helms) {
      const { code, errors } = await helm.run('template', 'speech', chart, ...minimal, '--set', set)
      expect({ code, errors }).toEqual({ code: 1, errors: expect.stringMatching(error) })
    }
  })
})
