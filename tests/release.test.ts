/** The workflow that publishes a release. Its steps run as they are written, with a registry and programs that publish nothing. */
import { execFile, spawnSync } from 'node:child_process'
import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { readDocument, root } from './documents.js'

interface Step {
  readonly name?: string
  readonly run?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, unknown>>
}

const steps: readonly Step[] = parse(readDocument('.github/workflows/release.yaml')).jobs.release.steps
const scripts = steps.flatMap(({ run }) => run ?? [])
const { version, scripts: npmScripts } = JSON.parse(readDocument('package.json'))

const stepWith = (text: string): string => {
  const script = scripts.find((script) => script.includes(text))
  if (script === undefined) throw new Error(`no step has ${text}`)
  return script
}

let folder: string
/** Runs the script of a step as GitHub does, and resolves to what it prints. */
const run = async (script: string, environment: Readonly<Record<string, string>> = {}): Promise<string> => {
  const env = {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    VERSION: `v${version}`,
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_REPOSITORY: 'Someone/parlance',
    GITHUB_ACTOR: 'someone',
    // Those of the step that publishes the image.
    REPOSITORY: 'Someone/parlance',
    TOKEN: 'secret',
    ...{ npm_config_dry_run: 'true', npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' },
    // Those who run the tests may have set another.
    npm_config_loglevel: 'notice',
    ...environment,
  }
  return (await promisify(execFile)('bash', ['-e', '-c', script], { cwd: folder, env, maxBuffer: 2 ** 24 })).stdout
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlance-release-'))
  for (const path of ['package.json', 'CHANGELOG.md', 'deploy/helm/parlance/Chart.yaml'])
    await cp(join(root, path), join(folder, path))
  // `npm run` finds the script, which works in the folder of the repository.
  await symlink(join(root, 'scripts'), join(folder, 'scripts'))
  await mkdir(join(folder, 'bin'))
  for (const program of ['docker', 'helm', 'gh'])
    await writeFile(join(folder, 'bin', program), `#!/bin/sh\necho ${program} "$@"\n`, { mode: 0o755 })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('no script of a step has a syntax error, and each script of npm that a step runs exists', () => {
  const errors = scripts.map((script) => spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' }).stderr)
  expect(errors.join('')).toBe('')
  const ran = scripts.flatMap((script) => [...script.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!))
  expect(ran).toEqual(['build', 'release'])
  expect(ran.filter((name) => !(name in npmScripts))).toEqual([])
})

test('a tag that is not the version of the packages ends the workflow', async () => {
  const check = stepWith('test "$VERSION"')
  await run(check)
  await expect(run(check, { VERSION: 'v999.0.0' })).rejects.toMatchObject({ code: 1 })
})

test('the steps make the files, and publish each of them, with the repository as their origin', async () => {
  await run(stepWith('Chart.yaml'))
  const chart = await readFile(join(folder, 'deploy/helm/parlance/Chart.yaml'), 'utf8')
  expect(parse(chart)).toMatchObject({
    home: 'https://github.com/Someone/parlance',
    sources: ['https://github.com/Someone/parlance'],
  })

  // Those parts that need no program that may be absent.
  const out = join(folder, 'release')
  await run(`${stepWith('npm run release').replace('--out release', `--out ${out}`)} --only npm,sbom`, {
    npm_config_dry_run: 'false',
  })
  const tarballs = await readdir(join(out, 'npm'))
  expect(tarballs).toHaveLength(5)
  for (const tarball of tarballs) {
    const manifest = JSON.parse(await run(`tar -xzOf release/npm/${tarball} package/package.json`))
    expect(manifest.repository.url).toBe('git+https://github.com/Someone/parlance.git')
  }
  const published = await run(stepWith('npm publish'))
  expect(published.match(/^\+ @parlance\/.*$/gm)).toHaveLength(tarballs.length)

  const { with: python } = steps.find(({ uses }) => uses?.startsWith('pypa/gh-action-pypi-publish@'))!
  expect(python).toEqual({ 'packages-dir': 'release/python' })

  await mkdir(join(out, 'chart'))
  await writeFile(join(out, 'chart', `parlance-${version}.tgz`), '')
  const pushed = await run(stepWith('docker push'))
  expect(pushed.split('\n')).toEqual([
    'docker login ghcr.io --username someone --password-stdin',
    `docker tag parlance:${version} ghcr.io/someone/parlance:${version}`,
    `docker push ghcr.io/someone/parlance:${version}`,
    'helm registry login ghcr.io --username someone --password-stdin',
    `helm push release/chart/parlance-${version}.tgz oci://ghcr.io/someone/parlance/charts`,
    '',
  ])

  await appendFile(join(out, 'SHA256SUMS'), `${'0'.repeat(64)}  image/parlance-image.tar\n`)
  const words = (await run(stepWith('gh release create'))).trim().split(' ')
  const files = words.splice(words.indexOf('SHA256SUMS'))
  expect(words.join(' ')).toBe(`gh release create v${version} --verify-tag --notes-file ../CHANGELOG.md`)
  // The image is in the registry.
  expect(files).toEqual(['SHA256SUMS', ...tarballs.sort().map((name) => `npm/${name}`), `parlance-${version}.cdx.json`])
  await run(`cd release && ls ../CHANGELOG.md ${files.join(' ')} && sha256sum --check SHA256SUMS`)
})
