import { execFile } from 'node:child_process'
import { restrictedContainer, restrictedPod } from './restricted.mjs'

/** Runs a program with `input`, in a folder, with an environment; resolves to what it printed, rejects with what it reported. */
export const run = (program, args, { input = '', cwd, env } = {}) =>
  new Promise((resolve, reject) => {
    const child = execFile(program, args, { cwd, env, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(`${program} ${args.join(' ')}: ${stderr || stdout || error.message}`))
    })
    child.stdin.end(input)
  })

/**
 * `kubectl` in a namespace: `kubectl(args, { input })` resolves to its output, `get(...args)` to the object or list that it
 * prints, `apply(object)` when the object is there.
 */
export const createKubectl = (namespace) => {
  const kubectl = (args, options = {}) => run('kubectl', ['--namespace', namespace, ...args], options)
  return Object.assign(kubectl, {
    namespace,
    get: async (...args) => JSON.parse(await kubectl(['get', ...args, '--output', 'json'])),
    apply: (object) => kubectl(['apply', '--filename', '-'], { input: JSON.stringify(object) }),
  })
}

/**
 * A pod with Parlance's image that follows "restricted", may reach NATS and the gateway, and sleeps. `env` are variables of its
 * container, `files` is the name of a ConfigMap and `keys` that of a Secret, at /files and /keys.
 */
export const idlePod = ({ name, release, image, env, files, keys }) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    labels: {
      'app.kubernetes.io/name': 'parlance',
      'app.kubernetes.io/instance': release,
      'app.kubernetes.io/component': 'speech-test',
    },
  },
  spec: {
    automountServiceAccountToken: false,
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 1,
    securityContext: restrictedPod,
    containers: [
      {
        name: 'client',
        image,
        command: ['sleep', 'infinity'],
        env,
        // Callers are elsewhere: without a share of the processor this one would be late, and not what it calls.
        resources: { requests: { cpu: '200m' } },
        securityContext: restrictedContainer,
        volumeMounts: [
          { name: 'tmp', mountPath: '/tmp' },
          { name: 'files', mountPath: '/files' },
          ...(keys ? [{ name: 'keys', mountPath: '/keys' }] : []),
        ],
      },
    ],
    volumes: [
      { name: 'tmp', emptyDir: {} },
      { name: 'files', configMap: { name: files } },
      ...(keys ? [{ name: 'keys', secret: { secretName: keys } }] : []),
    ],
  },
})

/** Starts an idle pod with the files of a folder. */
export const startIdlePod = async (kubectl, folder, pod) => {
  const { name } = pod
  await kubectl(['delete', 'pod,configmap', name, '--ignore-not-found', '--wait'])
  await kubectl(['create', 'configmap', name, `--from-file=${folder}`])
  await kubectl.apply(idlePod({ ...pod, files: name }))
  await kubectl(['wait', '--for=condition=Ready', `pod/${name}`, '--timeout=120s'])
}
