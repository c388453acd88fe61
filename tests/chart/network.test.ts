import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import { describeWithHelm } from './describe-with-helm.js'
import { networkPairs } from './network-pairs.js'
import { chart, type KubernetesObject, podSpecOf, render } from './rendering.js'

const scripts = join(chart, '../../../scripts/cluster-tests/network')
const { allowedPairs } = await import(pathToFileURL(join(scripts, 'policies.mjs')).href)
const { readConnections } = await import(pathToFileURL(join(scripts, 'connections.mjs')).href)

const component = 'app.kubernetes.io/component'
const servers: Readonly<Record<string, number[]>> = {
  nats: [4222],
  redis: [6379],
  postgres: [5432],
  operator: [],
  'speech-test': [],
}

const podOf = (object: KubernetesObject) => {
  const labels = (object.kind === 'Pod' ? object.metadata : object.spec.template.metadata).labels
  const declared: { name: string; containerPort: number }[] = podSpecOf(object).containers[0].ports ?? []
  const ports = new Map(declared.map(({ name, containerPort }) => [name, containerPort]))
  return { component: labels[component], labels, ports, listening: servers[labels[component]] ?? [...ports.values()] }
}

await describeWithHelm('the pods of a trial that the tests of a cluster expect to talk', ([helm]) => {
  let objects: KubernetesObject[] = []
  beforeAll(async () => {
    objects = await render(helm!, 'values-trial.yaml')
  })
  const allowed = (all: readonly KubernetesObject[]): string[] => {
    const policies = all.filter(({ kind }) => kind === 'NetworkPolicy')
    const pods = all.filter(({ kind }) => ['Deployment', 'StatefulSet', 'Pod'].includes(kind)).map(podOf)
    return [...new Set<string>(allowedPairs(policies, pods))].sort()
  }

  test('are those that the rules of the clients and of the servers name', () => {
    expect(allowed(objects)).toEqual(networkPairs(objects).ofClients)
  })

  test('are fewer without the rules of either side, and all without the denial', () => {
    const without = (name: string) =>
      objects.filter(({ kind, metadata }) => kind !== 'NetworkPolicy' || metadata.name !== name)
    expect(allowed(without('speech-parlance-gateway'))).not.toContain('gateway → redis')
    expect(allowed(without('speech-parlance-redis'))).not.toContain('gateway → redis')
    expect(allowed(objects.filter(({ kind }) => kind !== 'NetworkPolicy'))).toContain('tts → postgres')
  })
})

await describeWithHelm('a service that calls servers outside the cluster', ([helm]) => {
  const egressOf = async (name: string, ...args: readonly string[]) => {
    const objects = await render(helm!, 'ci/minimal-values.yaml', ...args)
    const policy = objects.find(
      ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === `speech-parlance-${name}`,
    )
    return policy!.spec.egress
  }
  const toMedia = { ports: [{ protocol: 'UDP', port: 1024, endPort: 65_535 }] }
  const web = (ipBlock: object) => ({
    to: [{ ipBlock }],
    ports: [
      { protocol: 'TCP', port: 80 },
      { protocol: 'TCP', port: 443 },
    ],
  })

  test('reaches ports of browsers only where it has media', async () => {
    expect(await egressOf('sessions')).toContainEqual(toMedia)
    expect(await egressOf('webhooks')).not.toContainEqual(toMedia)
  })

  test('reaches the servers in the cluster that the values name, on their ports, and no service reaches those of another', async () => {
    const set = [
      '--set-json',
      'networkPolicy.servers={"ollama":{"namespace":"models"},"speaches":{"namespace":"models","podLabels":{"app":"speaches"}}}',
    ]
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'models' } }
    const ollama = { to: [{ namespaceSelector }], ports: [{ protocol: 'TCP', port: 11_434 }] }
    const speaches = {
      to: [{ namespaceSelector, podSelector: { matchLabels: { app: 'speaches' } } }],
      ports: [{ protocol: 'TCP', port: 8000 }],
    }
    expect(await egressOf('sessions', ...set)).toEqual(expect.arrayContaining([ollama, speaches]))
    const ofTts = await egressOf('tts', ...set)
    expect(ofTts).toContainEqual(speaches)
    expect(ofTts).not.toContainEqual(ollama)
    expect(await egressOf('webhooks', ...set)).not.toContainEqual(ollama)
  })

  test('does not reach the addresses at which clouds give credentials, unless the values say so', async () => {
    expect(await egressOf('webhooks')).toContainEqual(web({ cidr: '0.0.0.0/0', except: ['169.254.0.0/16'] }))
    expect(await egressOf('webhooks', '--set-json', 'networkPolicy.internet.except=[]')).toContainEqual(
      web({ cidr: '0.0.0.0/0' }),
    )
  })

  test.each([
    ['10.0.0.0/8', undefined],
    ['169.254.128.0/17', undefined],
    ['::/0', undefined],
    ['160.0.0.0/4', ['169.254.0.0/16']],
    ['169.254.0.0/16', ['169.254.0.0/16']],
  ])('of %s excepts %s, as a rule may only except what is in its block', async (cidr, except) => {
    const egress = await egressOf('webhooks', '--set', `networkPolicy.internet.cidr=${cidr}`)
    expect(egress).toContainEqual(web({ cidr, ...(except && { except }) }))
  })
})

test('the comment of networkPolicy.servers names all servers that the chart knows', () => {
  const known = Object.keys(parse(readFileSync(join(chart, 'files/known-servers.yaml'), 'utf8')))
  const [, comment = ''] = /((?: +#.*\n)+) +servers:/.exec(readFileSync(join(chart, 'values.yaml'), 'utf8'))!
  expect(known.filter((name) => !comment.includes(name))).toEqual([])
})

test('the connections of a pod are read from the tables of its kernel', () => {
  const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 1 1 0 100 0 0 10 0
   1: 0500F40A:A2C4 0A00600A:107E 01 00000000:00000000 00:00000000 00000000  1000        0 2 1 0 20 4 30 10 -1
   2: 0100007F:A2C6 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 3 1 0 20 4 30 10 -1
   0: 0000000000000000FFFF00000500F40A:1F90 0000000000000000FFFF00000700F40A:D6D8 01 00000000:00000000 00:00000000 00000000  1000 0 4 1
`
  expect(readConnections(table)).toEqual({
    ports: [8080],
    connections: [
      {
        isIncoming: false,
        local: { address: '10.244.0.5', port: 41668 },
        remote: { address: '10.96.0.10', port: 4222 },
      },
      {
        isIncoming: true,
        local: { address: '10.244.0.5', port: 8080 },
        remote: { address: '10.244.0.7', port: 55000 },
      },
    ],
  })
})
