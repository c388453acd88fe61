import { describeWithHelm } from './describe-with-helm.js'
import { chart } from './rendering.js'

const minimal = ['--values', `${chart}/ci/minimal-values.yaml`]

/** Values that are wrong, and a part of what Helm says about them. */
const refused: ReadonlyArray<readonly [what: string, set: string, error: RegExp]> = [
  ['an unknown key', 'replicaCount=2', /replicaCount/],
  ['an unknown key of a service', 'services.gateway.replica=2', /replica/],
  ['an unknown service', 'services.gatway.replicas=2', /gatway/],
  ['a variable that the service does not read', 'services.tts.env.STREAM_LIMIT=1', /STREAM_LIMIT/],
  ['a variable that only some services read, for all', 'env.SESSION_LIMIT=1', /SESSION_LIMIT/],
  ['a value that the service refuses', 'services.sessions.env.SESSION_LIMIT=0', /SESSION_LIMIT/],
  ['a secret among the variables', 'services.sessions.env.LLM_OPENAI_API_KEY=sk', /LLM_OPENAI_API_KEY/],
  ['a number of the wrong type', 'services.tts.replicas=two', /replicas/],
  ['an unknown mode of media', 'media.mode=loadbalancer', /mode/],
  ['an address that is none', 'media.loadBalancer.addresses={media.example.com}', /addresses/],
  ['fewer addresses than replicas', 'media.loadBalancer.addresses={203.0.113.1}', /1 addresses for 2 replicas/],
  ['a digest that is none', 'image.digest=latest', /digest/],
  ['authentication without its Secret', 'nats.authentication=nkey', /existingSecret/],
  ['a secret that is made and exists', 'secrets.create=true', /exclude each other/],
  ['no address of NATS', 'nats.url=', /nats.url is required/],
  ['no Secret', 'secrets.existingSecret=', /secrets.existingSecret is required/],
  ['models whose licences were not accepted', 'models.enabled=true,models.install={a}', /acceptLicenses/],
  [
    'capacity of a service that counts none',
    'services.auth.autoscaling.enabled=true,services.auth.autoscaling.metric=usedCapacity',
    /no capacity/,
  ],
  ['an Ingress without hosts', 'ingress.enabled=true', /ingress.hosts is required/],
  ['an HTTPRoute without a Gateway', 'httpRoute.enabled=true', /httpRoute.parentRefs is required/],
  [
    'mails without an address for their links',
    'mail.from=parlance@example.com',
    /publicUrl is required with mail.from/,
  ],
  ['a drain that is longer than an hour', 'services.sessions.drainSeconds=7200', /drainSeconds/],
]

await describeWithHelm('the Helm chart refuses', (helms) => {
  test.each(refused)('%s', async (_what, set, error) => {
    for (const helm of helms) {
      const { code, errors } = await helm.run('template', 'speech', chart, ...minimal, '--set', set)
      expect({ code, errors }).toEqual({ code: 1, errors: expect.stringMatching(error) })
    }
  })
})
