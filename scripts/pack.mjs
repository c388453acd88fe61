// `npm run pack`: the tarballs of the packages that integrators install, from what is built. The gateway serves them at /packages.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { optionsOrExit } from './options.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const scope = '@parlance/'

const usage = `npm run pack -- [--out FOLDER]: packs each package that is not private, from what \`npm run build\` made, and that of Python:
NAME.tgz for each, and index.json with their versions and hashes. A tarball contains the other packages of Parlance that it needs, so
that npm looks none of them up.

  --out FOLDER   where the tarballs are written (default: dist/packages); what is there is replaced
  -h, --help     prints this`

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
const isOurs = (name) => name.startsWith(scope)

/** All packages of the repository, by name: the folder and the manifest of each. */
const readPackages = () => {
  const folders = readJson(join(root, 'package.json')).workspaces.flatMap((workspace) =>
    workspace.endsWith('/*') ? readFolders(workspace.slice(0, -2)) : [workspace],
  )
  return new Map(
    folders
      // A build of another branch leaves folders without a package.
      .filter((folder) => existsSync(join(root, folder, 'package.json')))
      .map((folder) => [folder, readJson(join(root, folder, 'package.json'))])
      .map(([folder, manifest]) => [manifest.name, { folder, manifest }]),
  )
}
const readFolders = (parent) =>
  existsSync(join(root, parent)) ? readdirSync(join(root, parent)).map((name) => `${parent}/${name}`) : []

/** The address of the repository, which npm compares with the workflow that publishes. It is known there alone. */
const repositoryOf = (folder) => {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env
  return repository === undefined
    ? {}
    : { repository: { type: 'git', url: `git+${server}/${repository}.git`, directory: folder } }
}

/**
 * Joins the modules of a program and of the packages of Parlance that it imports. Resolves to the dependencies that are left: those
 * on packages of others.
 */
const bundleProgram = async (entry, target, packages) => {
  const known = Object.assign({}, ...[...packages.values()].map(({ manifest }) => manifest.dependencies))
  const { metafile } = await build({
    entryPoints: [entry],
    outdir: target,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    external: Object.keys(known).filter((name) => !isOurs(name)),
    metafile: true,
    logLevel: 'warning',
  })
  const imported = Object.values(metafile.outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external && !path.startsWith('node:'))
    .map(({ path }) => path.split('/', path.startsWith('@') ? 2 : 1).join('/'))
  const names = [...new Set(imported)].filter((name) => name in known).sort()
  return Object.fromEntries(names.map((name) => [name, known[name]]))
}

/** The files of a package that are installed. `npm pack` chooses among them by `files`. */
const copyPackage = (folder, target) =>
  cpSync(join(root, folder), target, {
    recursive: true,
    filter: (path) => !/\/(node_modules|test|\.tsbuildinfo|tsconfig\.json)$/.test(path),
  })

/** The packages that a package depends on, itself included. */
const closureOf = (name, packages) => {
  const needed = Object.keys(packages.get(name).manifest.dependencies ?? {}).filter(isOurs)
  return [...new Set([name, ...needed.flatMap((one) => closureOf(one, packages))])]
}

const bundlePackage = (name, nodeModules, packages) => {
  const { folder, manifest } = packages.get(name)
  const { devDependencies: _, scripts: __, ...installed } = manifest
  copyPackage(folder, join(nodeModules, name))
  cpSync(join(root, 'LICENSE'), join(nodeModules, name, 'LICENSE'))
  writeFileSync(join(nodeModules, name, 'package.json'), JSON.stringify(installed, null, 2))
}

/** Puts a package together in `target`, as it is packed. */
const stage = async (name, target, packages) => {
  const { folder, manifest } = packages.get(name)
  const { devDependencies: _, scripts: __, publishConfig = {}, ...published } = manifest
  const { bin, ...publication } = publishConfig
  mkdirSync(target, { recursive: true })
  if (bin === undefined) {
    const [, ...bundled] = closureOf(name, packages)
    copyPackage(folder, target)
    for (const one of bundled) bundlePackage(one, join(target, 'node_modules'), packages)
    // npm does not install what a bundled package depends on unless the package that contains it depends on that too.
    const needed = bundled.map((one) => packages.get(one).manifest.dependencies)
    if (bundled.length > 0) {
      published.dependencies = Object.assign({}, ...needed, manifest.dependencies)
      published.bundleDependencies = bundled
    }
  } else {
    cpSync(join(root, folder, 'README.md'), join(target, 'README.md'))
    // A program is not imported.
    delete published.exports
    published.bin = bin
    published.dependencies = await bundleProgram(join(root, folder, 'dist/main.js'), join(target, 'dist'), packages)
  }
  for (const document of ['LICENSE', 'CHANGELOG.md']) {
    // A package may have a changelog of its own.
    if (!existsSync(join(target, document))) cpSync(join(root, document), join(target, document))
  }
  if (published.files !== undefined) published.files = [...new Set([...published.files, 'CHANGELOG.md'])]
  const complete = {
    ...published,
    ...repositoryOf(folder),
    publishConfig: { access: 'public', provenance: true, ...publication },
  }
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(complete, null, 2)}\n`)
}

/** pip builds the package of Python where it is installed. npm only packs it, under a name that no other tarball has. */
const pythonName = 'python'
const stagePython = (target) => {
  const source = join(root, 'sdks/python')
  const filter = (path) => !/\/(tests|dist|__pycache__|\.\w+)$/.test(path)
  cpSync(source, target, { recursive: true, filter })
  const { version } = readJson(join(root, 'package.json'))
  writeFileSync(join(target, 'package.json'), JSON.stringify({ name: pythonName, version }))
}

const hash = (algorithm, encoding, bytes) => createHash(algorithm).update(bytes).digest(encoding)

/** Writes the tarballs and `index.json` into `out`, which is replaced. Resolves to the list of the packages. */
export const packPackages = async (out = join(root, 'dist/packages'), progress = () => {}) => {
  const packages = readPackages()
  const names = [...packages].filter(([, { manifest }]) => manifest.private !== true).map(([name]) => name)
  const work = mkdtempSync(join(tmpdir(), 'parlance-pack-'))
  try {
    const staged = names.map((name) => join(work, name.replace(scope, '')))
    for (const [index, name] of names.entries()) {
      progress(`${name} …`)
      await stage(name, staged[index], packages)
    }
    staged.push(join(work, pythonName))
    stagePython(staged.at(-1))
    progress('npm pack …')
    const options = ['--json', '--ignore-scripts', '--loglevel=error', `--pack-destination=${work}`]
    const { stdout } = await promisify(execFile)('npm', ['pack', ...options, ...staged], { cwd: work })
    const packed = JSON.parse(stdout)
    const list = packed
      .map(({ name, version, filename }) => {
        const bytes = readFileSync(join(work, filename))
        return {
          name: name === pythonName ? 'parlance-client' : name,
          version,
          file: `${name.replace(scope, '')}.tgz`,
          bytes: bytes.length,
          sha256: hash('sha256', 'hex', bytes),
          integrity: `sha512-${hash('sha512', 'base64', bytes)}`,
          packed: filename,
        }
      })
      .sort((a, b) => a.file.localeCompare(b.file))
    // A gateway that runs reads all of a set or none of it.
    const finished = `${out}.${process.pid}`
    mkdirSync(finished, { recursive: true })
    for (const { packed, file } of list) cpSync(join(work, packed), join(finished, file))
    const index = list.map(({ packed: _, ...entry }) => entry)
    writeFileSync(join(finished, 'index.json'), `${JSON.stringify({ packages: index }, null, 2)}\n`)
    rmSync(out, { recursive: true, force: true })
    renameSync(finished, out)
    return index
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { out } = optionsOrExit(usage, { options: { out: { type: 'string' } } })
  const begunMs = performance.now()
  const list = await packPackages(out, (text) => console.error(`  ${text}`))
  for (const { file, name, version, bytes } of list) {
    console.log(`${file.padEnd(20)} ${name} ${version}, ${(bytes / 1000).toFixed(1)} kB`)
  }
  console.log(`✓ Packed ${list.length} packages (${((performance.now() - begunMs) / 1000).toFixed(1)} s)`)
}
