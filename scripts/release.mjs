// `npm run release`: all files of a release in one folder, from what `npm run build` made.
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { optionsOrExit } from './options.mjs'
import { packPackages } from './pack.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

const has = (program, ...args) => spawnSync(program, args, { stdio: 'ignore' }).status === 0
const run = (program, ...args) => promisify(execFile)(program, args, { cwd: root, maxBuffer: 1 << 28 })

/** The parts of a release. `lacks` names what is needed and not here. */
const parts = {
  npm: {
    lacks: () => undefined,
    async make(out) {
      const folder = join(out, 'npm')
      for (const { name, file, version: packed } of await packPackages(folder)) {
        // The wheel and the sdist are those of Python.
        if (name === 'parlance-client') rmSync(join(folder, file))
        else renameSync(join(folder, file), join(folder, `parlance-${file.replace('.tgz', `-${packed}.tgz`)}`))
      }
      rmSync(join(folder, 'index.json'))
    },
  },
  python: {
    lacks: () => (has('python3', '-c', 'import build') ? undefined : 'the Python package build (pip install build)'),
    make: (out) => run('python3', '-m', 'build', '--outdir', join(out, 'python'), 'sdks/python'),
  },
  chart: {
    lacks: () => (has('helm', 'version') ? undefined : 'helm'),
    make: (out) => run('helm', 'package', 'deploy/helm/parlance', '--destination', join(out, 'chart')),
  },
  image: {
    lacks: () => (has('docker', 'info') ? undefined : 'a Docker engine'),
    async make(out) {
      const tag = `parlance:${version}`
      mkdirSync(join(out, 'image'), { recursive: true })
      await run('deploy/docker/build', '--tag', tag, '--sbom', join(out, 'image/parlance-image.cdx.json'))
      await run('docker', 'save', '--output', join(out, 'image/parlance-image.tar'), tag)
    },
  },
  sbom: {
    lacks: () => undefined,
    async make(out) {
      const { stdout } = await run(
        ...['npm', 'sbom', '--sbom-format=cyclonedx', '--sbom-type=application'],
        ...['--package-lock-only', '--omit=dev', '--loglevel=error'],
      )
      const bom = JSON.parse(stdout)
      // npm takes the name of the folder.
      bom.metadata.component.name = 'parlance'
      writeFileSync(join(out, `parlance-${version}.cdx.json`), JSON.stringify(bom, null, 2))
    },
  },
}

const usage = `npm run release -- --out FOLDER [--only PARTS] [--strict]

Makes the files of a release from what \`npm run build\` made: tarballs for npm, a wheel and an sdist for Python, the Helm chart,
the image, a bill of materials, and SHA256SUMS. A part whose program is absent is named and left out.

  --out FOLDER   where the files are written; it must be new or empty
  --only PARTS   some of the parts, with commas: ${Object.keys(parts).join(', ')}
  --strict       fail when a program is absent, as in CI
  -h, --help     print this help`

const sha256 = async (file) => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

const writeChecksums = async (out) => {
  const files = readdirSync(out, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(out, join(entry.parentPath ?? entry.path, entry.name)))
    .sort()
  const lines = []
  for (const file of files) lines.push(`${await sha256(join(out, file))}  ${file}\n`)
  writeFileSync(join(out, 'SHA256SUMS'), lines.join(''))
  return files.length
}

const fail = (line) => {
  console.error(line)
  process.exit(2)
}

const values = optionsOrExit(usage, {
  options: { out: { type: 'string' }, only: { type: 'string' }, strict: { type: 'boolean' } },
})
if (values.out === undefined) fail('release: --out is missing: npm run release -- --out FOLDER')
const out = resolve(values.out)
const chosen = values.only?.split(',') ?? Object.keys(parts)
const unknown = chosen.find((name) => !(name in parts))
if (unknown !== undefined) fail(`release: there is no part ${unknown}. There are ${Object.keys(parts).join(', ')}.`)
if (existsSync(out) && readdirSync(out).length > 0) fail(`release: ${out} is not empty.`)

mkdirSync(out, { recursive: true })
let isComplete = true
for (const name of chosen) {
  const { lacks, make } = parts[name]
  const lacking = lacks()
  if (lacking !== undefined) {
    console.log(`- ${name}: left out, as ${lacking} is not here`)
    isComplete = false
    continue
  }
  const begunMs = performance.now()
  console.log(`  ${name} …`)
  try {
    await make(out)
  } catch (error) {
    console.error(`${error.stderr ?? ''}✗ ${name}: ${error.message}`)
    process.exit(1)
  }
  console.log(`✓ ${name} (${((performance.now() - begunMs) / 1000).toFixed(1)} s)`)
}
console.log(`✓ SHA256SUMS of ${await writeChecksums(out)} files in ${out}`)
if (values.strict && !isComplete) {
  console.error('release: a part was left out, which --strict does not permit.')
  process.exitCode = 1
}
