/** The packages that integrators install, as `npm pack` makes them. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { publint } from 'publint'

const root = fileURLToPath(new URL('..', import.meta.url))
const packages = ['client', 'react', 'avatar']
const run = promisify(execFile)
/** Rejects with the output of the program. */
const check = (program: string, ...options: string[]) =>
  run(process.execPath, [join(root, program), ...options], { cwd: project }).catch(({ stdout, stderr }) => {
    throw new Error(`${stdout}${stderr}`)
  })

let folder: string
let tarballs: Map<string, string>
/** A project with only these packages and their dependencies. */
let project: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parlance-packages-'))
  project = join(folder, 'project')
  const workspaces = packages.map((name) => `--workspace=web/${name}`)
  const { stdout } = await run(
    'npm',
    ['pack', '--json', '--ignore-scripts', `--pack-destination=${folder}`, ...workspaces],
    {
      cwd: root,
    },
  )
  const packed = JSON.parse(stdout) as { name: string; filename: string }[]
  tarballs = new Map(packed.map(({ name, filename }) => [name.replace('@parlance/', ''), join(folder, filename)]))
  for (const [name, tarball] of tarballs) {
    const target = join(project, 'node_modules/@parlance', name)
    await mkdir(target, { recursive: true })
    await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'])
  }
  for (const name of ['react', '@types/react', 'csstype', 'three', '@types/three']) {
    const target = join(project, 'node_modules', name)
    await mkdir(dirname(target), { recursive: true })
    await symlink(join(root, 'node_modules', name), target)
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe.each(packages)('@parlance/%s', (name) => {
  test('is packed as package managers and bundlers expect it', async () => {
    const tarball = await readFile(tarballs.get(name)!)
    const { buffer, byteOffset, byteLength } = tarball
    const { messages } = await publint({
      pack: { tarball: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer },
      level: 'warning',
    })
    expect(messages).toEqual([])
  })

  test('has types that every resolution finds', async () => {
    await check(
      'node_modules/@arethetypeswrong/cli/dist/index.js',
      tarballs.get(name)!,
      '--profile',
      'esm-only',
      '--no-emoji',
    )
  })
})

test('an empty project that has installed them compiles, with types', async () => {
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await writeFile(
    join(project, 'page.ts'),
    `import { createAvatar } from '@parlance/avatar'
     import { createParlanceClient, ParlanceError, type Session } from '@parlance/client'
     import { createSpeechClient } from '@parlance/client/speech'
     import { createScriptedConnection } from '@parlance/client/testing'
     import { useAudioLevel, useParlance } from '@parlance/react'
     const client = createParlanceClient({ agentId: '', sessionToken: async () => 'x' })
     const session: Promise<Session> = client.connect({ inputMode: 'automatic' })
     client.on('disconnected', ({ reason }: { reason: string }) => reason)
     // @ts-expect-error: there is no such event
     client.on('nothing', () => {})
     export const Talk = () => useParlance({ agentId: '', sessionToken: () => 'x' }).transcript[0]?.text
     export const code: (error: ParlanceError) => string = ({ code }) => code
     export const level = useAudioLevel
     export const show = createAvatar
     client.registerTool('go', {
       parameters: { type: 'object', properties: { page: { type: 'string' } }, required: ['page'] },
       run: ({ page }) => page.length,
     })
     export const tested = createParlanceClient({ agentId: '', sessionToken: () => 'x', transport: createScriptedConnection() })
     export const ended = createSpeechClient({ streamToken: () => 'x' }).speak({ text: '', voiceId: '' }).ended
     export { session }`,
  )
  for (const resolution of [
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
    ['--module', 'nodenext', '--moduleResolution', 'nodenext'],
  ]) {
    const options = ['--strict', '--noEmit', '--lib', 'es2023,dom', '--target', 'es2023', '--types', '', ...resolution]
    await check('node_modules/typescript/bin/tsc', ...options, join(project, 'page.ts'))
  }
})

const bundled = async (source: string) => {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: project },
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  })
  return outputFiles[0]!.contents
}

test('the client adds at most 12 kB to a page, and unused parts of it add nothing', async () => {
  const whole = await bundled(`export * from '@parlance/client'`)
  expect(gzipSync(whole, { level: 9 }).length).toBeLessThan(12_000)
  const part = await bundled(`export { ParlanceError } from '@parlance/client'`)
  expect(part.length).toBeLessThan(1_000)
})
