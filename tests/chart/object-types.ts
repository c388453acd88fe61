import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { KubernetesObject } from './rendering.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const require = createRequire(import.meta.url)

const packageOfGroup: Record<string, string> = {
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'keda.sh': '@kubernetes-models/keda',
}

/** `apps/v1` → the module with the types and the validators of its kinds. */
const moduleOf = (apiVersion: string): string => {
  const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : []
  return `${packageOfGroup[group] ?? 'kubernetes-models'}/${apiVersion}`
}

/** An object, and where it is from. */
export interface LabelledObject {
  readonly label: string
  readonly object: KubernetesObject
}

/**
 * Problems of objects by the types of their kinds, a line each: a field that the kind does not have, one that is missing, or
 * one of another type. The compiler finds them, as an object literal may have no field that its type does not name.
 */
export const typeProblems = async (objects: readonly LabelledObject[]): Promise<string[]> => {
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'parlance-chart-'))
  const lines = objects.map(({ object: { kind, ...fields } }, index) => {
    const type = `import('${moduleOf(fields.apiVersion)}').I${kind}`
    return `export const object${index}: ${type} = ${JSON.stringify({ kind, ...fields })}`
  })
  try {
    await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }')
    await writeFile(join(folder, 'objects.ts'), lines.join('\n'))
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--types',
      '',
    ]
    const output = await new Promise<string>((resolve) => {
      const compiler = join(root, 'node_modules/typescript/bin/tsc')
      execFile(process.execPath, [compiler, ...options, 'objects.ts'], { cwd: folder }, (_error, stdout, stderr) =>
        resolve(stdout + stderr),
      )
    })
    return output
      .split('\n')
      .filter((line) => line.includes('error'))
      .map((line) => line.replace(/^objects\.ts\((\d+),\d+\)/, (_, at) => objects[Number(at) - 1]!.label))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Problems of objects by the schemas of their kinds, which know formats and patterns as well. */
export const schemaProblems = (objects: readonly LabelledObject[]): string[] =>
  objects.flatMap(({ label, object }) => {
    try {
      const Model = require(moduleOf(object.apiVersion))[object.kind]
      new Model(object).validate()
      return []
    } catch (error) {
      return [`${label}: ${(error as Error).message}`]
    }
  })
