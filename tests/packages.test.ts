/** All tarballs for npm of `npm run pack`: what each contains, and that npm looks up none of our names. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { agentSchema } from '@parlance/contracts'
import { type LocalServer, sampleOf, sendJson, startLocalServer } from '@parlance/testing'
import { publint } from 'publint'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports?: object
  readonly bin?: object
  readonly engines?: object
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
  readonly bundleDependencies?: readonly string[]
  readonly publishConfig?: object
}

interface Packed {
  readonly tarball: string
  /** Where the tarball is extracted. */
  readonly folder: string
  readonly manifest: Manifest
}

let folder: string
let packages: Packed[]

const readManifest = async (of: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(of, 'package.json'), 'utf8'))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlance-packed-'))
  const tarballs = join(folder, 'packages')
  await run(process.execPath, [join(root, 'scripts/pack.mjs'), '--out', tarballs])
  const index = JSON.parse(await readFile(join(tarballs, 'index.json'), 'utf8')) as {
    packages: { name: string; file: string }[]
  }
  packages = await Promise.all(
    index.packages
      .filter(({ name }) => isOurs(name))
      .map(async ({ name, file }) => {
        const extracted = join(folder, 'extracted', name)
        await mkdir(extracted, { recursive: true })
        await run('tar', ['-xzf', join(tarballs, file), '-C', extracted, '--strip-components=1'])
        return { tarball: join(tarballs, file), folder: extracted, manifest: await readManifest(extracted) }
      }),
  )
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const isOurs = (name: string): boolean => name.startsWith('@parlance/')

test('each has a description, a changelog and the license, and is published with its provenance', async () => {
  expect(packages.map(({ manifest }) => manifest.name)).toEqual(
    ['avatar', 'cli', 'client', 'react', 'server'].map((name) => `@parlance/${name}`),
  )
  for (const { folder, manifest } of packages) {
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'README.md']))
    expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true })
    expect(manifest).not.toHaveProperty('private')
    if (manifest.bin !== undefined) expect(manifest.engines).toEqual({ node: '>=20.19' })
  }
})

test('each is packed as package managers expect it, with types that every resolution finds', async () => {
  for (const { tarball, manifest } of packages) {
    const { buffer, byteOffset, byteLength } = await readFile(tarball)
    const { messages } = await publint({
      pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer },
      level: 'warning',
    })
    expect([manifest.name, messages]).toEqual([manifest.name, []])
    // A program is not imported.
    if (manifest.exports === undefined) continue
    const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js')
    await run(process.execPath, [
      ...[attw, tarball, '--profile', 'esm-only', '--no-emoji'],
      // A style sheet has no types.
      ...['--exclude-entrypoints', 'styles.css'],
    ]).catch(({ stdout }) => {
      throw new Error(stdout)
    })
  }
})

test('each contains the packages of ours that it needs, and all that those need of others', async () => {
  for (const { folder, manifest } of packages) {
    const { dependencies = {}, bundleDependencies = [], peerDependencies = {}, peerDependenciesMeta = {} } = manifest
    expect(Object.keys(dependencies).filter(isOurs).sort()).toEqual([...bundleDependencies].sort())
    for (const name of Object.keys(peerDependencies).filter(isOurs)) {
      expect([name, peerDependenciesMeta[name]]).toEqual([name, { optional: true }])
    }
    for (const name of bundleDependencies) {
      const bundled = await readManifest(join(folder, 'node_modules', name))
      expect(Object.keys(dependencies)).toEqual(expect.arrayContaining(Object.keys(bundled.dependencies ?? {})))
    }
  }
})

test('npm installs the client, and React parts with a client of their own, in an empty folder without a registry', async () => {
  const project = join(folder, 'project')
  await mkdir(project)
  const chosen = packages.filter(({ manifest }) => /\/(client|react)$/.test(manifest.name))
  const options = [`--cache=${join(folder, 'cache')}`, '--registry=http://127.0.0.1:9', '--fetch-retries=0']
  // React itself is the page's.
  const tarballs = [...chosen.map(({ tarball }) => tarball), '--legacy-peer-deps']
  await run('npm', ['install', ...tarballs, ...options], { cwd: project })
  expect(await readdir(join(project, 'node_modules/@parlance'))).toEqual(['client', 'react'])
  expect(await readdir(join(project, 'node_modules/@parlance/react/node_modules/@parlance'))).toEqual(['client'])
  const script = `import { ParlanceError } from '@parlance/client'; console.log(typeof ParlanceError)`
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', script], { cwd: project })
  expect(stdout).toBe('function\n')
})

describe('the command line by itself', () => {
  const agent = sampleOf(agentSchema, {
    ...{ slug: 'front-desk', display_name: 'Front desk', voice_id: '0'.repeat(32), active_publication: null },
    draft_revision: { id: randomUUID(), version: 1 },
  })
  let api: LocalServer
  let program: string
  /** The requests: method, path, credentials. */
  const received: string[] = []

  beforeAll(async () => {
    const { folder: extracted, manifest } = packages.find(({ manifest }) => manifest.name === '@parlance/cli')!
    const installed = join(folder, 'command-line/node_modules/@parlance/cli')
    await cp(extracted, installed, { recursive: true })
    for (const name of Object.keys(manifest.dependencies!)) {
      const target = join(folder, 'command-line/node_modules', name)
      await mkdir(dirname(target), { recursive: true })
      await symlink(join(root, 'node_modules', name), target)
    }
    program = join(installed, 'dist/main.js')
    api = await startLocalServer((req, res) => {
      received.push(`${req.method} ${req.url} ${req.headers.authorization}`)
      const body = req.url!.startsWith('/v1/agents') ? { agents: [agent], next_cursor: null } : { detail: 'Not here.' }
      sendJson(res, 'agents' in body ? 200 : 404, body)
    })
  })
  afterAll(() => api?.close())

  /** What a command prints, and the exit code it ends with. */
  const parlance = async (args: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: join(folder, 'config'), ...environment }
    const child = run(process.execPath, [program, ...args], { cwd: folder, env })
    return child.then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout, errors: stderr }),
      ({ code, stdout, stderr }) => ({ code, output: stdout as string, errors: stderr as string }),
    )
  }

  test('lists its commands, and has none that need the services or the database in its process', async () => {
    const { output } = await parlance(['--help'])
    for (const name of ['agent', 'conversation', 'credit', 'profile', 'speak', 'test', 'workspace']) {
      expect(output).toMatch(new RegExp(`^  ${name} `, 'm'))
    }
    expect(output).not.toMatch(/^ {2}(migrate|doctor|models|setup) /m)
  })

  test('calls the API of the profile in use with its key, which only the user may read', async () => {
    const { url } = api
    const key = 'awp_dev_0123456789abcdefghijklmnopqrstuvwxyzAB'
    const added = await parlance(['profile', 'add', 'work', '--url', url], { PARLANCE_API_KEY: key })
    expect(added).toMatchObject({ code: 0, errors: '' })
    expect(added.output).not.toContain(key)
    const { mode } = await stat(join(folder, 'config/parlance/profiles.json'))
    expect(mode & 0o777).toBe(0o600)

    const listed = await parlance(['agent', 'list'])
    expect(listed).toMatchObject({ code: 0, errors: '' })
    expect(listed.output).toMatch(/front-desk .*not published .*Front desk/)
    expect(received).toEqual([`GET /v1/agents?limit=100 Bearer ${key}`])
    expect(await parlance(['conversation', 'list'])).toMatchObject({
      code: 1,
      errors: expect.stringContaining('Not here.'),
    })
    // The environment takes precedence.
    await parlance(['agent', 'list'], { PARLANCE_API_KEY: 'another' })
    expect(received.at(-1)).toBe('GET /v1/agents?limit=100 Bearer another')
  })

  test('what operators do is refused with a key alone, and where nothing runs', async () => {
    const withKey = await parlance(['workspace', 'list'])
    expect(withKey).toMatchObject({ code: 1, errors: expect.stringContaining('The profile work has an API key') })
    const withNothing = await parlance(['workspace', 'list'], { PARLANCE_PROFILE: '' })
    expect(withNothing).toMatchObject({ code: 1, errors: expect.stringContaining('No Parlance is running here') })
    expect(await parlance(['workspace', 'list'], { PARLANCE_PROFILE: 'play' })).toMatchObject({
      code: 1,
      errors: 'error: There is no profile play: `parlance profile list` shows all profiles.\n',
    })
    const away = await parlance(['workspace', 'list'], { NATS_URL: 'nats://127.0.0.1:9' })
    expect(away).toMatchObject({
      code: 1,
      errors: expect.stringContaining('No connection to NATS at nats://127.0.0.1:9'),
    })
    await writeFile(join(folder, 'config/parlance/profiles.json'), '{')
    expect(await parlance(['agent', 'list'])).toMatchObject({ code: 1, errors: expect.stringContaining('is damaged') })
  })
})
