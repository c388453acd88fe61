import type { KubernetesObject } from './rendering.js'

const component = 'app.kubernetes.io/component'

interface Peer {
  readonly podSelector?: { readonly matchExpressions?: readonly { readonly key: string; readonly values: string[] }[] }
}

/** The components that peers name; other kinds of peers do not name any. */
const componentsOf = (peers: readonly Peer[] = []): string[] =>
  peers.flatMap(({ podSelector }) =>
    (podSelector?.matchExpressions ?? []).filter(({ key }) => key === component).flatMap(({ values }) => values),
  )

/** Which components of a release may talk, as `client → server`: by the rules of the clients, and by those of the servers. */
export const networkPairs = (objects: readonly KubernetesObject[]) => {
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy')
  const ofClients: string[] = []
  const ofServers: string[] = []
  for (const { spec } of policies) {
    const own = spec.podSelector.matchLabels?.[component]
    for (const { to } of spec.egress ?? []) for (const server of componentsOf(to)) ofClients.push(`${own} → ${server}`)
    for (const { from } of spec.ingress ?? [])
      for (const client of componentsOf(from)) ofServers.push(`${client} → ${own}`)
  }
  return { ofClients: ofClients.sort(), ofServers: ofServers.sort() }
}
