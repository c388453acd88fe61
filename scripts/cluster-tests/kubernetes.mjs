import { execFile, spawn } from 'node:child_process'

/** Runs a program with `input`; resolves to what it printed, rejects with what it reported. */
export const run = (program, args, { input = '' } = {}) =>
  new Promise((resolve, reject) => {
    const child = execFile(program, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(`${program} ${args.join(' ')}: ${stderr || stdout || error.message}`))
    })
    child.stdin.end(input)
  })

/** Runs a program whose output goes to this terminal; resolves when it ends with 0. */
export const show = (program, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit' })
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ${args[0]} ended with ${code}`)),
    )
  })

/** `kubectl` in a namespace. */
export const createKubectl =
  (namespace) =>
  (args, options = {}) =>
    run('kubectl', ['--namespace', namespace, ...args], options)

/** The specification of a pod with Parlance's image that follows "restricted" and may reach NATS and the gateway. */
export const idlePod = ({ name, release, image, environment }) => ({
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
    securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name: 'client',
        image,
        command: ['sleep', 'infinity'],
        env: Object.entries(environment).map(([key, value]) => ({ name: key, value })),
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
      },
    ],
    volumes: [{ name: 'tmp', emptyDir: {} }],
  },
})
