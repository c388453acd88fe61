// Prometheus and prometheus-adapter in one pod, which serve the custom metrics API while autoscaling is checked.
import { stringify } from 'yaml'
import { createKubectl, run } from './kubernetes.mjs'
import { restrictedContainer, restrictedPod } from './restricted.mjs'

const name = 'parlance-test-metrics'
const apiService = 'v1beta1.custom.metrics.k8s.io'
const rbac = 'rbac.authorization.k8s.io/v1'
const labels = { app: name }

/** Reads the pods of the release with the labels that the Prometheus operator gives them, and makes the chart's recordings. */
const prometheusConfiguration = (watched) => ({
  global: { scrape_interval: '2s', evaluation_interval: '2s' },
  rule_files: ['/etc/metrics/rules.yaml'],
  scrape_configs: [
    {
      job_name: 'pods',
      kubernetes_sd_configs: [{ role: 'pod', namespaces: { names: [watched] } }],
      relabel_configs: [
        { source_labels: ['__meta_kubernetes_pod_container_port_name'], regex: 'health', action: 'keep' },
        { source_labels: ['__meta_kubernetes_namespace'], target_label: 'namespace' },
        { source_labels: ['__meta_kubernetes_pod_name'], target_label: 'pod' },
        { source_labels: ['__meta_kubernetes_pod_container_name'], target_label: 'container' },
      ],
    },
  ],
})

/** The rule for gauges of the adapter's own chart. */
const adapterConfiguration = {
  rules: [
    {
      seriesQuery: '{namespace!="",__name__!~"^container_.*"}',
      seriesFilters: [{ isNot: '.*_total$' }],
      resources: { template: '<<.Resource>>' },
      name: { matches: '', as: '' },
      metricsQuery: 'sum(<<.Series>>{<<.LabelMatchers>>}) by (<<.GroupBy>>)',
    },
  ],
}

const container = (own, args) => ({
  imagePullPolicy: 'IfNotPresent',
  args,
  securityContext: restrictedContainer,
  volumeMounts: [
    { name: 'configuration', mountPath: '/etc/metrics' },
    { name: 'data', mountPath: '/data' },
    { name: 'data', mountPath: '/tmp', subPath: 'tmp' },
  ],
  ...own,
})

const podOf = ({ prometheus, adapter }) => ({
  serviceAccountName: name,
  terminationGracePeriodSeconds: 1,
  securityContext: restrictedPod,
  containers: [
    container({ name: 'prometheus', image: prometheus }, [
      '--config.file=/etc/metrics/prometheus.yaml',
      '--storage.tsdb.path=/data/series',
      '--web.listen-address=127.0.0.1:9090',
    ]),
    container(
      {
        name: 'adapter',
        image: adapter,
        readinessProbe: { httpGet: { path: '/readyz', port: 6443, scheme: 'HTTPS' }, periodSeconds: 2 },
      },
      [
        '--config=/etc/metrics/adapter.yaml',
        '--prometheus-url=http://127.0.0.1:9090/',
        '--metrics-relist-interval=5s',
        '--metrics-max-age=60s',
        '--secure-port=6443',
        '--cert-dir=/data/certificate',
      ],
    ),
  ],
  volumes: [
    { name: 'configuration', configMap: { name } },
    { name: 'data', emptyDir: {} },
  ],
})

const binding = (suffix, roleRef, subject, namespace) => ({
  apiVersion: rbac,
  kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
  metadata: { name: `${name}${suffix}`, ...(namespace && { namespace }) },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...roleRef },
  subjects: [{ kind: 'ServiceAccount', ...subject }],
})

/** The permissions of the pod, and of the autoscaler to query it. Cluster-wide objects, in order of their use. */
const permissions = (namespace) => {
  const own = { name, namespace }
  const autoscaler = { name: 'horizontal-pod-autoscaler', namespace: 'kube-system' }
  const read = (apiGroups, resources) => [{ apiGroups, resources, verbs: ['get', 'list', 'watch'] }]
  return [
    {
      apiVersion: rbac,
      kind: 'ClusterRole',
      metadata: { name },
      rules: read([''], ['pods', 'namespaces', 'nodes', 'services']),
    },
    {
      apiVersion: rbac,
      kind: 'ClusterRole',
      metadata: { name: `${name}-readers` },
      rules: read(['custom.metrics.k8s.io'], ['*']),
    },
    binding('', { kind: 'ClusterRole', name }, own),
    binding('-delegator', { kind: 'ClusterRole', name: 'system:auth-delegator' }, own),
    binding('-readers', { kind: 'ClusterRole', name: `${name}-readers` }, autoscaler),
    binding('-reader', { kind: 'Role', name: 'extension-apiserver-authentication-reader' }, own, 'kube-system'),
  ]
}

/** The objects in the namespace, in order of their use. */
const objectsOf = ({ namespace, prometheus, adapter, watched, rules }) => [
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } },
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: {
      'prometheus.yaml': stringify(prometheusConfiguration(watched)),
      'rules.yaml': stringify({ groups: rules }),
      'adapter.yaml': stringify(adapterConfiguration),
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podOf({ prometheus, adapter }) },
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name },
    spec: { selector: labels, ports: [{ port: 443, targetPort: 6443 }] },
  },
  {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: apiService },
    spec: {
      group: 'custom.metrics.k8s.io',
      version: 'v1beta1',
      service: { name, namespace },
      insecureSkipTLSVerify: true,
      groupPriorityMinimum: 100,
      versionPriority: 100,
    },
  },
]

/** Rejects with the last lines of both logs when the pod does not become ready. */
const untilServing = async (kubectl) => {
  try {
    await kubectl(['rollout', 'status', `deployment/${name}`, '--timeout=180s'])
    await kubectl(['wait', '--for=condition=Available', `apiservice/${apiService}`, '--timeout=120s'])
  } catch ({ message }) {
    const logs = await kubectl(['logs', `deployment/${name}`, '--all-containers', '--prefix', '--tail=3'])
    throw new Error(`${message}\n${logs}`)
  }
}

/**
 * Does `work` while both run in a namespace of their own, and removes them. `watched` is the namespace of the release,
 * `rules` the groups of its PrometheusRule.
 */
export const withMonitoring = async ({ prometheus, adapter, watched, rules }, work) => {
  const namespace = `${watched}-metrics`
  const kubectl = createKubectl(namespace)
  const list = (items) => ({ apiVersion: 'v1', kind: 'List', items })
  // They are cluster-wide, or in another namespace than the rest.
  const ofCluster = JSON.stringify(list(permissions(namespace)))
  const onCluster = (...args) => run('kubectl', [...args, '--filename', '-'], { input: ofCluster })
  try {
    await kubectl.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    await onCluster('apply')
    await kubectl.apply(list(objectsOf({ namespace, prometheus, adapter, watched, rules })))
    await untilServing(kubectl)
    return await work()
  } finally {
    await kubectl(['delete', 'apiservice', apiService, '--ignore-not-found'])
    await onCluster('delete', '--ignore-not-found')
    await kubectl(['delete', 'namespace', namespace, '--ignore-not-found', '--wait=false'])
  }
}
