import { describeWithHelm } from './describe-with-helm.js'
import { networkPairs } from './network-pairs.js'
import { schemaProblems, typeProblems } from './object-types.js'
import { podSecurityProblems } from './pod-security.js'
import { chart, type KubernetesObject, objectsIn, podSpecOf, render } from './rendering.js'
import { environmentProblems } from './service-environment.js'

/** Changes a copy of an object. */
const changed = (object: KubernetesObject, change: (copy: KubernetesObject) => void): KubernetesObject => {
  const copy = structuredClone(object)
  change(copy)
  return copy
}

await describeWithHelm('each check of the chart finds a fault that is put in:', ([helm]) => {
  let objects: KubernetesObject[] = []
  beforeAll(async () => {
    objects = await render(helm!, 'values-trial.yaml')
  })
  const find = (kind: string, name: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name === `speech-parlance-${name}`)!

  test('a field that the kind does not have, deep in the object, one that is missing, and one of another type', async () => {
    const workload = find('Deployment', 'tts')
    const faults = [
      changed(workload, (copy) => Object.assign(podSpecOf(copy).containers[0].readinessProbe, { periodSecond: 5 })),
      changed(workload, (copy) => delete copy.spec.selector),
      changed(workload, (copy) => Object.assign(copy.spec, { replicas: '2' })),
    ]
    const problems = await typeProblems(faults.map((object, index) => ({ label: `fault ${index}`, object })))
    expect(problems).toEqual([
      expect.stringMatching(/^fault 0.*periodSecond/),
      expect.stringMatching(/^fault 1.*selector/),
      expect.stringMatching(/^fault 2.*replicas|^fault 2.*string/),
    ])
  })

  test('a value that the schema of the kind refuses', () => {
    const object = changed(find('Deployment', 'tts'), (copy) => Object.assign(copy.spec, { replicas: '2' }))
    expect(schemaProblems([{ label: 'fault', object }])).toEqual([expect.stringMatching(/^fault: .*replicas/s)])
  })

  test('a pod that is not "restricted"', () => {
    const faults: Array<(spec: ReturnType<typeof podSpecOf>) => void> = [
      (spec) => Object.assign(spec, { hostPID: true }),
      (spec) => Object.assign(spec.securityContext, { runAsUser: 0 }),
      (spec) => delete spec.securityContext.seccompProfile,
      (spec) => spec.volumes.push({ name: 'host', hostPath: { path: '/' } }),
      (spec) => delete spec.containers[0].securityContext.allowPrivilegeEscalation,
      (spec) => spec.containers[0].securityContext.capabilities.drop.pop(),
    ]
    const workload = changed(find('Deployment', 'auth'), (copy) => delete podSpecOf(copy).initContainers)
    expect(podSecurityProblems(workload)).toEqual([])
    for (const fault of faults) {
      expect(podSecurityProblems(changed(workload, (copy) => fault(podSpecOf(copy))))).toHaveLength(1)
    }
  })

  test('a variable that no part of the service reads, one that is missing, and one that is not valid', () => {
    const withVariable = (name: string, change: (variables: Array<{ name: string; value?: string }>) => void) =>
      environmentProblems(changed(find('Deployment', name), (copy) => change(podSpecOf(copy).containers[0].env)))
    const remove = (name: string) => (variables: Array<{ name: string }>) =>
      variables.splice(
        variables.findIndex((one) => one.name === name),
        1,
      )
    expect(withVariable('tts', (variables) => variables.push({ name: 'TTS_ENGINE', value: 'x' }))).toEqual([
      'tts: TTS_ENGINE is read by no part of it',
    ])
    expect(withVariable('auth', remove('API_KEY_PEPPERS'))).toEqual([
      expect.stringMatching(/^auth: API_KEY_PEPPERS is not set/),
    ])
    expect(withVariable('agents', remove('DATABASE_URL'))).toEqual([
      expect.stringMatching(/^agents: DATABASE_URL is not set/),
    ])
    expect(withVariable('catalog', (variables) => variables.push({ name: 'LOG_LEVEL', value: 'loud' }))).toEqual([
      expect.stringMatching(/^catalog: LOG_LEVEL is not valid/),
    ])
  })

  test('a rule that lets a service reach one more server', () => {
    const widened = objects.map((object) =>
      changed(object, ({ kind, metadata, spec }) => {
        if (kind !== 'NetworkPolicy' || metadata.name !== 'speech-parlance-catalog') return
        const values = ['postgres']
        spec.egress.push({
          to: [{ podSelector: { matchExpressions: [{ key: 'app.kubernetes.io/component', values }] } }],
        })
      }),
    )
    expect(networkPairs(objects).ofClients).not.toContain('catalog → postgres')
    expect(networkPairs(widened).ofClients).toContain('catalog → postgres')
  })

  test('a key that appears twice in a document', () => {
    expect(() => objectsIn('kind: ConfigMap\nkind: Secret\n')).toThrow(/unique/)
  })

  test('a template that Helm cannot render', async () => {
    const broken = 'extraManifests=[{"kind":"{{ .Values.missing.deeper }}"}]'
    const { code, output, errors } = await helm!.run('lint', '--strict', chart, '--set-json', broken)
    expect({ code, said: output + errors }).toEqual({
      code: 1,
      said: expect.stringMatching(/ERROR.*missing|missing.*ERROR/s),
    })
  })
})
