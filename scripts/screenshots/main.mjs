// `npm run screenshots`: takes a picture of every page and state of the built dashboard, light and dark, wide and on a phone,
// into the folder `screenshots`. The pages get answers that the scenes list, so that no service runs.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '@parlance/testing/browser'
import { optionsOrExit } from '../options.mjs'
import { answerWith, origin } from './answered-pages.mjs'
import { takeConversation, takePicture } from './conversation.mjs'
import { scenes } from './scenes.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = join(root, 'screenshots')

const usage = `npm run screenshots -- [options] [part of a name…]: takes pictures of the pages and states of the built dashboard, light and
dark, wide and on a phone, into the folder screenshots

  --list       prints the names of the scenes
  --documents  writes the pictures that README.md shows, into docs/images
  -h, --help   prints this

Parts of names choose scenes; without one, all are taken. Needs what was built (npm run build).`

/** Of the pictures of the documents. */
const documented = { width: 1100, height: 600 }

const sizes = { wide: { width: 1366, height: 650 }, phone: { width: 390, height: 844 } }
const colorSchemes = ['light', 'dark']
const take = async (browser, { name, path, answers, init, act }, file, viewport, colorScheme) => {
  const context = await browser.newContext({
    viewport,
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-US',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  await page.route('**/*', answerWith(answers))
  if (init !== undefined) await page.addInitScript(init)
  await page.goto(`${origin}${path}`)
  await page.waitForSelector('h1')
  if (!name.endsWith('-loading')) await page.waitForSelector('[aria-label=Loading]', { state: 'detached' })
  await act?.(page)
  await page.waitForTimeout(300)
  await takePicture(page, file)
  await context.close()
}

const { positionals: wanted, ...options } = optionsOrExit(usage, {
  allowPositionals: true,
  options: { list: { type: 'boolean' }, documents: { type: 'boolean' } },
})
if (options.list) {
  console.log(scenes.map(({ name }) => name).join('\n'))
  process.exit()
}
const chosen = scenes.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
if (chosen.length === 0) {
  console.error(`No scene has "${wanted.join('" or "')}" in its name. --list prints the names.`)
  process.exit(1)
}
const browser = await launchBrowser()
if (options.documents) {
  const overview = scenes.find(({ name }) => name === 'overview')
  await take(browser, overview, join(root, 'docs/images/dashboard.webp'), documented, 'light')
  await browser.close()
  await takeConversation(join(root, 'docs/images/conversation.webp'), documented)
  process.exit()
}
if (wanted.length === 0) await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
for (const scene of chosen) {
  for (const size of Object.keys(sizes)) {
    for (const colorScheme of colorSchemes) {
      const file = join(folder, `${scene.name}-${size}-${colorScheme}.png`)
      await take(browser, scene, file, sizes[size], colorScheme).catch((error) => {
        console.error(`✗ ${scene.name} ${size} ${colorScheme}: ${error.message}`)
        process.exitCode = 1
      })
    }
  }
}
await browser.close()
console.log(
  `${process.exitCode === 1 ? '✗' : '✓'} ${chosen.length} scenes, each in ${Object.keys(sizes).length} sizes and ${colorSchemes.length} schemes, in ${folder}`,
)
