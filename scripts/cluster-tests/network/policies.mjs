/** Whether a selector of Kubernetes selects an object with these labels. Throws for an operator that the chart does not use. */
const selects = ({ matchLabels = {}, matchExpressions = [] }, labels) =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every(({ key, operator, values }) => {
    if (operator !== 'In') throw new Error(`A selector has the operator ${operator}.`)
    return values.includes(labels[key])
  })

/** A list that is missing or empty limits nothing. */
const isUnlimited = (list) => (list ?? []).length === 0

/** Whether a rule names a pod of the same namespace. Rules for blocks of addresses and for other namespaces do not. */
const namesPeer = (peers, { labels }) =>
  isUnlimited(peers) ||
  peers.some(({ podSelector, namespaceSelector }) => podSelector && !namespaceSelector && selects(podSelector, labels))

const namesPort = (ports, server, port) =>
  isUnlimited(ports) ||
  ports.some((one) => (one.protocol ?? 'TCP') === 'TCP' && (one.port === port || server.ports.get(one.port) === port))

/**
 * Whether the policies of one direction let a pod talk: no policy selects it, or a rule of a policy that selects it names
 * both.
 */
const letsTalk = (policies, own, type, isNamed) => {
  const selecting = policies.filter(
    ({ spec }) => spec.policyTypes.includes(type) && selects(spec.podSelector, own.labels),
  )
  return (
    selecting.length === 0 ||
    selecting.some(({ spec }) => (spec[type.toLowerCase()] ?? []).some((rule) => isNamed(rule)))
  )
}

/** Whether NetworkPolicies let one pod connect to a TCP port of another one of its namespace. */
const allows = (policies, client, server, port) =>
  letsTalk(policies, client, 'Egress', ({ to, ports }) => namesPeer(to, server) && namesPort(ports, server, port)) &&
  letsTalk(policies, server, 'Ingress', ({ from, ports }) => namesPeer(from, client) && namesPort(ports, server, port))

/**
 * The pairs of components that NetworkPolicies let talk, as `client → server`. A pod has its `component`, all its `labels`, the
 * numbers of its `ports` by their names, and the ports at which it is `listening`.
 */
export const allowedPairs = (policies, pods) =>
  pods.flatMap((client) =>
    pods
      .filter((server) => server.listening.some((port) => allows(policies, client, server, port)))
      .map((server) => `${client.component} → ${server.component}`),
  )
