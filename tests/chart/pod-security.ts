import { type KubernetesObject, podSpecOf } from './rendering.js'

const volumeKinds = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]

interface Context {
  readonly runAsNonRoot?: boolean
  readonly runAsUser?: number
  readonly seccompProfile?: { readonly type: string }
  readonly privileged?: boolean
  readonly allowPrivilegeEscalation?: boolean
  readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] }
}

interface Container {
  readonly name: string
  readonly securityContext?: Context
  readonly ports?: readonly { readonly hostPort?: number }[]
}

/** What of a container Pod Security "restricted" forbids. A pod's context holds for its containers unless they differ. */
const containerProblems = ({ name, securityContext: own = {}, ports = [] }: Container, ofPod: Context): string[] => {
  const { runAsNonRoot, runAsUser, seccompProfile } = { ...ofPod, ...own }
  const { privileged, allowPrivilegeEscalation, capabilities: { drop = [], add = [] } = {} } = own
  const rules: Array<[boolean, string]> = [
    [runAsNonRoot === true && runAsUser !== 0, 'may run as root'],
    [['RuntimeDefault', 'Localhost'].includes(seccompProfile?.type ?? ''), 'has no seccomp profile'],
    [privileged !== true, 'is privileged'],
    [allowPrivilegeEscalation === false, 'may gain privileges'],
    [drop.includes('ALL') && add.every((one) => one === 'NET_BIND_SERVICE'), 'has capabilities'],
    [ports.every(({ hostPort }) => hostPort === undefined), 'has a port of the host'],
  ]
  return rules.filter(([holds]) => !holds).map(([, problem]) => `${name} ${problem}`)
}

/** What the standard "restricted" of Kubernetes forbids of the pods of an object, a line each; empty for an object without pods. */
export const podSecurityProblems = (object: KubernetesObject): string[] => {
  const spec = podSpecOf(object)
  if (spec?.containers === undefined) return []
  const containers: Container[] = [...(spec.initContainers ?? []), ...spec.containers]
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field] === true)
  const volumes = ((spec.volumes ?? []) as object[]).filter(
    (volume) => !Object.keys(volume).every((key) => key === 'name' || volumeKinds.includes(key)),
  )
  return [
    ...shared.map((field) => `${field} is true`),
    ...volumes.map((volume) => `a volume is ${Object.keys(volume).join(' ')}`),
    ...containers.flatMap((container) => containerProblems(container, spec.securityContext ?? {})),
  ].map((problem) => `${object.kind} ${object.metadata.name}: ${problem}`)
}
