import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describeWithHelm } from './describe-with-helm.js'
import { schemaProblems, typeProblems } from './object-types.js'
import { podSecurityProblems } from './pod-security.js'
import { chart, type KubernetesObject, objectsIn, podSpecOf } from './rendering.js'
import { services } from './service-environment.js'

const script = join(chart, '../../../scripts/cluster-tests/production.mjs')
const { productionValues, serverValues } = await import(pathToFileURL(script).href)

await describeWithHelm('the shape of production that the tests of a cluster install', (helms) => {
  let folder: string
  const rendered = new Map<string, { servers: KubernetesObject[]; release: KubernetesObject[] }>()
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-production-'))
    const [servers, production] = [join(folder, 'servers.json'), join(folder, 'production.json')]
    await writeFile(servers, JSON.stringify(serverValues))
    await writeFile(production, JSON.stringify(productionValues))
    for (const helm of helms) {
      const objectsOf = async (name: string, ...files: readonly string[]) => {
        const values = files.flatMap((file) => ['--values', file])
        const { code, output, errors } = await helm.run('template', name, chart, ...values)
        if (code !== 0) throw new Error(`Helm ${helm.version}, ${name}: ${errors}`)
        return objectsIn(output)
      }
      rendered.set(helm.version, {
        servers: await objectsOf('servers', join(chart, 'values-trial.yaml'), servers),
        release: await objectsOf('speech', production),
      })
    }
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('has objects that Kubernetes takes, of pods that are "restricted"', async () => {
    for (const { servers, release } of rendered.values()) {
      const all = [...servers, ...release].map((object) => ({
        label: `${object.kind} ${object.metadata.name}`,
        object,
      }))
      expect(schemaProblems(all)).toEqual([])
      expect(await typeProblems(all)).toEqual([])
      expect(all.flatMap(({ object }) => podSecurityProblems(object))).toEqual([])
    }
  })

  test('is all services, which use the servers of a release without services, with a Secret that this release makes', () => {
    for (const { servers, release } of rendered.values()) {
      const names = (objects: readonly KubernetesObject[], kind: string) =>
        objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name)
      expect(names(servers, 'NetworkPolicy')).toEqual([])
      expect(names(servers, 'Job')).toEqual([])
      const serving = servers.filter(({ kind, spec }) => ['Deployment', 'StatefulSet'].includes(kind) && spec.replicas)
      expect(serving.map(({ metadata }) => metadata.name).sort()).toEqual(
        ['nats', 'postgres', 'redis'].map((name) => `servers-parlance-${name}`),
      )
      const workloads = release.filter(({ kind }) => ['Deployment', 'StatefulSet'].includes(kind))
      // The operator's pod is beside the services.
      expect(workloads).toHaveLength(services.size + 1)
      const made = servers.find(({ kind }) => kind === 'Secret')!
      const named = new Set<string>()
      for (const object of release) {
        for (const { env = [] } of podSpecOf(object)?.containers ?? []) {
          for (const { value, valueFrom } of env) {
            const { name, key, optional } = valueFrom?.secretKeyRef ?? {}
            if (key !== undefined && !optional) named.add(`${name} ${key in made.data}`)
            if (value?.startsWith('nats://')) expect(names(servers, 'Service')).toContain(new URL(value).hostname)
          }
        }
      }
      expect([...named]).toEqual([`${made.metadata.name} true`])
      const migrate = release.find(({ kind }) => kind === 'Job')!
      expect(migrate.metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade')
      expect(names(release, 'StatefulSet')).toEqual(['speech-parlance-sessions'])
    }
  })
})
