import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseAllDocuments } from 'yaml'
import type { Helm } from './helm.js'

/** The folder of the chart. */
export const chart = fileURLToPath(new URL('../../deploy/helm/parlance', import.meta.url))

/** The files with values that the chart is tested with: those for users, and those in `ci/`. */
export const valuesFiles: readonly string[] = [
  ...readdirSync(chart).filter((file) => /^values-.*\.yaml$/.test(file)),
  ...readdirSync(join(chart, 'ci')).map((file) => `ci/${file}`),
]

/** An object of Kubernetes. */
export interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly labels?: Record<string, string>
    readonly annotations?: Record<string, string>
  }
  // biome-ignore lint/suspicious/noExplicitAny: Its fields depend on the kind.
  readonly [field: string]: any
}

/** The objects in the documents of a YAML text. Throws for text that is not YAML, or that has a key twice. */
export const objectsIn = (text: string): KubernetesObject[] =>
  parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors
    if (error !== undefined) throw error
    const object = document.toJS() as KubernetesObject | null
    return object === null ? [] : [object]
  })

/** What the chart installs with a file of values, such as `ci/minimal-values.yaml`. Rejects with what Helm prints. */
export const render = async (helm: Helm, file: string, ...args: readonly string[]): Promise<KubernetesObject[]> => {
  const { code, output, errors } = await helm.run('template', 'speech', chart, '--values', join(chart, file), ...args)
  if (code !== 0) throw new Error(`Helm ${helm.version}, ${relative(chart, join(chart, file))}: ${errors}`)
  return objectsIn(output)
}

/** The specifications of pods in an object: its own, or that of its template. */
export const podSpecOf = ({ kind, spec }: KubernetesObject) =>
  // biome-ignore lint/suspicious/noExplicitAny: A specification is what the object holds.
  (kind === 'Pod' ? spec : spec?.template?.spec) as any
