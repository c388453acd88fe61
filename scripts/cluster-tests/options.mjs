import { resolve } from 'node:path'
import { optionsOrExit } from '../options.mjs'

const usage = `usage: npm run test:cluster -- --image NAME [option…]

Installs the chart on the cluster of KUBECONFIG and tests it there. The nodes must have the image, and those of the servers of a
trial. kubectl and helm must be in PATH; where helm4 is too, it installs what has the shape of production. One run of everything
takes 20 minutes on two cores that do nothing else.

  --image NAME               the image of Parlance, with its tag
  --from NAME                the image of the version that is upgraded from, and rolled back to (default: the same)
  --values FILE              values for each installation, beside those of a trial; can be repeated
  --only PART                tests this part alone; can be repeated: PARTS
  --restarts COUNT           how often each service is restarted under load (default: 1)
  --together COUNT           how many services are restarted at once (default: 4)
  --drain-seconds SECONDS    how long gateways and sessions may go on; conversations of the load take half a minute (default: 100)
  --prometheus NAME          with both images, tts is scaled by the custom metrics API and not by CPU; this Prometheus must be
                             built with the discovery of Kubernetes, which Debian's is not
  --prometheus-adapter NAME
  --namespace NAME           where it is installed (default: parlance-test)
  --logs FILE                writes what the services log
  --keep                     leaves the installation in the cluster
`

/** What can be tested alone, in order. */
const parts = 'values nkeys production documented helm-test network restarts evictions upgrade scaling'.split(' ')

const count = (name, text) => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1, not ${text}.`)
  return value
}

const checked = (values) => {
  if (values.image === undefined) throw new Error('Give the image: npm run test:cluster -- --image parlance:0.1.0')
  const unknown = values.only.filter((part) => !parts.includes(part))
  if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}, but ${parts.join(', ')}.`)
  return {
    ...values,
    // Helm runs in other folders too.
    values: values.values.map((file) => resolve(file)),
    from: values.from ?? values.image,
    only: new Set(values.only),
    restarts: count('restarts', values.restarts),
    together: count('together', values.together),
    drainSeconds: count('drain-seconds', values['drain-seconds']),
    adapter: values['prometheus-adapter'],
  }
}

/** The options of the command line. */
export const options = optionsOrExit(
  usage.replace('PARTS', parts.join(', ')),
  {
    options: {
      image: { type: 'string' },
      from: { type: 'string' },
      values: { type: 'string', multiple: true, default: [] },
      only: { type: 'string', multiple: true, default: parts },
      restarts: { type: 'string', default: '1' },
      together: { type: 'string', default: '4' },
      'drain-seconds': { type: 'string', default: '100' },
      prometheus: { type: 'string' },
      'prometheus-adapter': { type: 'string' },
      namespace: { type: 'string', default: 'parlance-test' },
      logs: { type: 'string' },
      keep: { type: 'boolean', default: false },
    },
  },
  checked,
)
