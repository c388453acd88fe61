import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { visemeIds } from '@parlance/contracts'
import { avatarFilePath, readAvatarModels } from '@parlance/models/avatars'
import { launchFirefox, launchHeadlessShell, testedBrowser } from '@parlance/testing/browser'
import { build } from 'esbuild'
import type { AvatarRecord } from '../src/avatar-record.js'

/** Browsers treat it as secure. Nothing is sent over a network. */
const origin = 'http://localhost'

const record = (path: string, bytes: Uint8Array): AvatarRecord => ({
  display_name: 'Mira',
  asset: { url: path, size_bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
  viseme_morph_targets: Object.fromEntries(visemeIds.map((id) => [id, `viseme_${id}`])),
  expression_morph_targets: { blink_left: 'eyeBlinkLeft', blink_right: 'eyeBlinkRight', smile: 'mouthSmile' },
})

const model = readFileSync(avatarFilePath(readAvatarModels()[0]!.model))
const noModel = Buffer.from('This is not a model.')

const bundle = async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('in-page.js', import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  })
  return outputFiles[0]!.text
}

/** A page in a browser that draws in software, with the harness of `in-page.js` in it. */
export const openAvatarPage = async () => {
  const browser = await (testedBrowser === 'firefox'
    ? launchFirefox({ 'webgl.force-enabled': true, 'media.autoplay.default': 0 })
    : launchHeadlessShell('--autoplay-policy=no-user-gesture-required'))
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  const problems: string[] = []
  page.on('pageerror', ({ name, message }) => {
    // Firefox reports a request that failed as an error of the page.
    if (name !== 'Cross-Origin Request Blocked') problems.push(message)
  })
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text())
  })
  const files: Record<string, { body: Buffer | string; contentType: string }> = {
    '/': { body: '<!doctype html><body style="margin:0">', contentType: 'text/html' },
    '/model.glb': { body: model, contentType: 'model/gltf-binary' },
    '/no-model.glb': { body: noModel, contentType: 'model/gltf-binary' },
    '/two-seconds.wav': { body: silentWav(2), contentType: 'audio/wav' },
  }
  await page.route(`${origin}/**`, (route) => {
    const file = files[new URL(route.request().url()).pathname]
    return file === undefined ? route.fulfill({ status: 404, body: '' }) : route.fulfill(file)
  })
  await page.goto(origin)
  await page.addScriptTag({ content: await bundle() })

  return {
    page,
    problems,
    avatars: { good: record('/model.glb', model), noModel: record('/no-model.glb', noModel) },
    /** Calls a function of the harness. */
    call: <Answer = void>(name: string, ...given: unknown[]): Promise<Answer> =>
      page.evaluate(
        ([name, given]) =>
          (globalThis as unknown as { harness: Record<string, (...given: unknown[]) => Answer> }).harness[name]!(
            ...given,
          ),
        [name, given] as const,
      ) as Promise<Answer>,
    close: () => browser.close(),
  }
}

export type AvatarPage = Awaited<ReturnType<typeof openAvatarPage>>

const silentWav = (seconds: number): Buffer => {
  const sampleRate = 8_000
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + seconds * sampleRate * 2, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(seconds * sampleRate * 2, 40)
  return Buffer.concat([header, Buffer.alloc(seconds * sampleRate * 2)])
}
