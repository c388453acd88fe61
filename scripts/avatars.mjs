// `npm run avatars`: builds the heads of the catalog again: their models, a picture of each as the renderer shows it, and
// the list of them all. Needs a build (`npm run build`) and Chromium.
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'
import { findBinary } from '../libs/testing/dist/index.js'
import { people } from '../tools/avatar-generator/dist/people/people.js'
import { writeManifest } from '../tools/avatar-generator/dist/writing/write-assets.js'
import { runChild } from './child.mjs'

const assets = new URL('../libs/models/assets/', import.meta.url)
const pictureSize = 320
const origin = 'http://localhost'

const bundle = async () => {
  const entry = fileURLToPath(new URL('../web/avatar/dist/index.js', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'parlanceAvatar',
  })
  return outputFiles[0].text
}

/** Runs in the page. Resolves to the first frame as WebP in base64. */
const takePicture = async ({ asset, size }) => {
  const container = document.createElement('div')
  Object.assign(container.style, { width: `${size}px`, height: `${size}px` })
  document.body.replaceChildren(container)
  const digest = await crypto.subtle.digest('SHA-256', await (await fetch(asset.url)).arrayBuffer())
  const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return new Promise((resolve, reject) => {
    const view = globalThis.parlanceAvatar.createAvatar(container, {
      avatar: {
        display_name: '',
        asset: { ...asset, sha256 },
        viseme_morph_targets: {},
        expression_morph_targets: { smile: 'mouthSmile' },
      },
      apiOrigin: location.origin,
      speech: { positionMs: () => undefined, visemes: () => [] },
      onLoad: ({ error }) => error && reject(error),
      onFrame() {
        const picture = container.querySelector('canvas').toDataURL('image/webp', 0.86)
        view.close()
        resolve(picture.slice(picture.indexOf(',') + 1))
      },
    })
  })
}

const generator = fileURLToPath(new URL('../tools/avatar-generator/dist/main.js', import.meta.url))
const { code } = await runChild(process.execPath, [generator, fileURLToPath(assets)], { stdio: 'inherit' })
if (code !== 0) process.exit(code)
const args = [
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
const browser = await chromium.launch({ executablePath: findBinary('chromium'), args })
try {
  const page = await browser.newPage({ reducedMotion: 'reduce' })
  await page.route(`${origin}/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice(1)
    if (name === '') await route.fulfill({ contentType: 'text/html', body: '<body>' })
    else await route.fulfill({ body: await readFile(new URL(name, assets)) })
  })
  await page.goto(origin)
  await page.addScriptTag({ content: await bundle() })
  for (const { name } of people) {
    const { length } = await readFile(new URL(`${name}.glb`, assets))
    const asset = { url: `/${name}.glb`, size_bytes: length }
    const picture = await page.evaluate(takePicture, { asset, size: pictureSize })
    await writeFile(new URL(`${name}.webp`, assets), picture, 'base64')
    console.log(`${name}: pictured`)
  }
} finally {
  await browser.close()
}
await writeManifest(fileURLToPath(assets))
