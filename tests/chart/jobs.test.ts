import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describeWithHelm } from './describe-with-helm.js'
import { type KubernetesObject, podSpecOf, render } from './rendering.js'

const component = 'app.kubernetes.io/component'
const file = 'ci/jobs-values.yaml'
/** The objects that must exist when an API server accepts a pod. It accepts the content of the file. */
const existing = 'jobs.priorityClassName=high,jobs.runtimeClassName=gvisor,jobs.serviceAccount.name=jobs'
const once = ['doctor', 'migrate', 'models', 'operator', 'speech-test']

/** The pods that run once and the operator's, as their workloads or their own objects describe them. */
const jobsIn = (objects: readonly KubernetesObject[]) =>
  objects
    .filter(
      ({ kind, metadata }) =>
        ['Job', 'Pod'].includes(kind) || (kind === 'Deployment' && metadata.labels?.[component] === 'operator'),
    )
    .map((object) => ({
      name: object.metadata.labels?.[component] ?? '',
      metadata: object.kind === 'Pod' ? object.metadata : object.spec.template.metadata,
      spec: podSpecOf(object),
    }))

await describeWithHelm('pods that are no service', ([helm]) => {
  let objects: KubernetesObject[] = []
  beforeAll(async () => {
    objects = await render(helm!, file, '--set', existing)
  })

  test.each(once)('%s has what `jobs` adds to it', (name) => {
    const { metadata, spec } = jobsIn(objects).find((job) => job.name === name)!
    expect(metadata.labels).toMatchObject({ tier: 'jobs', [component]: name })
    expect(metadata.annotations).toMatchObject({ 'example.com/mesh': 'false' })
    expect(spec).toMatchObject({
      nodeSelector: { 'kubernetes.io/arch': 'amd64' },
      tolerations: [{ key: 'speech', operator: 'Exists' }],
      affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
      priorityClassName: 'high',
      runtimeClassName: 'gvisor',
      hostAliases: [{ ip: '192.0.2.5', hostnames: ['postgres.example.internal'] }],
      dnsConfig: { options: [{ name: 'ndots', value: '1' }] },
      schedulerName: 'own',
      serviceAccountName: 'jobs',
      securityContext: { supplementalGroups: [2000], runAsNonRoot: true },
      initContainers: [{ name: 'before' }],
    })
    const [container] = spec.containers
    expect(container.securityContext).toMatchObject({
      seLinuxOptions: { level: 's0:c123,c456' },
      readOnlyRootFilesystem: true,
    })
    expect(container.envFrom).toEqual([{ configMapRef: { name: 'more' } }])
    for (const [list, one] of [
      [container.env, { name: 'NODE_EXTRA_CA_CERTS', value: '/etc/ca/ca.pem' }],
      [container.volumeMounts, { name: 'ca', mountPath: '/etc/ca', readOnly: true }],
      [spec.volumes, { name: 'ca', configMap: { name: 'ca' } }],
    ]) {
      // Once: the doctor is given it by the services that it stands for as well.
      expect(list.filter(({ name }: { name: string }) => name === one.name)).toEqual([one])
    }
    const policy = objects.find(
      ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.labels?.[component] === name,
    )
    expect(policy!.spec.egress).toContainEqual({ to: [{ ipBlock: { cidr: '192.0.2.8/32' } }] })
  })

  test('the models of another image, version, mirror or block of `jobs` are another Job, as a Job cannot be changed', async () => {
    const jobOf = async (...set: readonly string[]) => {
      const all = await render(helm!, 'ci/models-values.yaml', ...set.flatMap((one) => ['--set', one]))
      return all.find(({ kind, metadata }) => kind === 'Job' && metadata.labels?.[component] === 'models')!
    }
    const jobs = await Promise.all([
      jobOf(),
      jobOf('image.tag=1.0.1'),
      jobOf('image.tag=1.0.2'),
      jobOf('models.mirror=https://models.example.com/'),
      jobOf('models.resources.limits.memory=2Gi'),
      jobOf('jobs.priorityClassName=high'),
      jobOf('models.install={en_US-joe-medium,other}'),
    ])
    expect(new Set(jobs.map(({ metadata }) => metadata.name)).size).toBe(jobs.length)
    expect(await jobOf()).toEqual(jobs[0])
  })

  test('the models that are on the volume are left as they are, as installing them again would fail', async () => {
    const all = await render(helm!, 'ci/models-values.yaml', '--set', 'models.install={there,missing}')
    const job = all.find(({ kind, metadata }) => kind === 'Job' && metadata.labels?.[component] === 'models')!
    const [program, options, script] = podSpecOf(job).containers[0].command
    const folder = await mkdtemp(join(tmpdir(), 'parlance-models-job-'))
    try {
      await mkdir(join(folder, 'models/there'), { recursive: true })
      await writeFile(join(folder, 'node'), `#!/bin/sh\necho "$@" >> ${folder}/calls\n`, { mode: 0o755 })
      await promisify(execFile)(program, [options, script.replaceAll('/srv/models', join(folder, 'models'))], {
        env: { PATH: `${folder}:${process.env.PATH}` },
      })
      const calls = await readFile(join(folder, 'calls'), 'utf8')
      expect(calls).toMatch(/^cli\/bin\/parlance\.mjs models install missing --accept-license --models-dir \S+\n$/)
      expect((await readdir(join(folder, 'models'))).filter((name) => name.startsWith('.installed-'))).toHaveLength(1)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  test('the doctor reaches what sessions and tts reach, and the TURN servers that sessions are given', async () => {
    const egressOf = async (...set: readonly string[]) =>
      (await render(helm!, file, ...set)).find(
        ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.labels?.[component] === 'doctor',
      )!.spec.egress
    const tcp = (port: number) => ({ protocol: 'TCP', port })
    const egress = await egressOf('--set', 'networkPolicy.servers.kokoro-fastapi.namespace=models')
    expect(egress).toContainEqual(expect.objectContaining({ to: expect.any(Array), ports: [tcp(8880)] }))
    expect(egress).toContainEqual({ to: [{ ipBlock: { cidr: '192.0.2.7/32' } }] })
    expect(egress).toContainEqual({ ports: [tcp(443), tcp(3478), tcp(5349)] })
    expect(await egressOf('--set', 'services.sessions.env.TURN_URLS=turn:[2001:db8::1]:3479')).toContainEqual({
      ports: [tcp(3479)],
    })
    expect(await egressOf('--set', 'services.sessions.env.TURN_URLS=')).toContainEqual({
      ports: [tcp(3478), tcp(5349)],
    })
  })
})
