// `npm run screenshots`: takes a picture of every page and state of the built dashboard, light and dark, wide and on a phone, into
// the folder `screenshots`. The pages get answers that the scenes list, so that no service runs. Arguments choose scenes by parts of
// their names.
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '@parlance/testing/browser'
import { scenes } from './scenes.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const site = join(root, 'web/dashboard/dist/site')
const folder = join(root, 'screenshots')
const origin = 'http://parlance.example'

const sizes = { wide: { width: 1366, height: 650 }, phone: { width: 390, height: 844 } }
const colorSchemes = ['light', 'dark']
const types = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' }
const avatars = join(root, 'libs/models/assets')

/** Answers a request of a page: a built file, what the scene lists, or the document. */
const answer = (answers) => async (route) => {
  const { pathname, searchParams } = new URL(route.request().url())
  if (pathname.startsWith('/dashboard/static/')) {
    const body = await readFile(join(site, pathname))
    return route.fulfill({ body, contentType: types[pathname.split('.').at(-1)] })
  }
  if (pathname.startsWith('/assets/avatars/')) return route.fulfill({ path: join(avatars, pathname.split('/').at(-1)) })
  if (!pathname.startsWith('/dashboard/')) return route.fulfill({ path: join(site, 'index.html') })
  const listed = answers[pathname]
  const found = typeof listed === 'function' ? listed(searchParams) : listed
  // The page waits for ever.
  if (found === 'pending') return
  if (found === undefined)
    return route.fulfill({ status: 404, json: { code: 'not_found', detail: 'There is nothing here.' } })
  if (found.bytes !== undefined) return route.fulfill({ body: found.bytes, contentType: found.type })
  return route.fulfill({ status: found.status ?? 200, json: found.body })
}

const take = async (browser, { name, path, answers, init, act }, size, colorScheme) => {
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-US',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  await page.route('**/*', answer(answers))
  if (init !== undefined) await page.addInitScript(init)
  await page.goto(`${origin}${path}`)
  await page.waitForSelector('h1')
  if (!name.endsWith('-loading')) await page.waitForSelector('[aria-label=Loading]', { state: 'detached' })
  await act?.(page)
  await page.waitForTimeout(300)
  await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`) })
  await context.close()
}

const wanted = process.argv.slice(2)
const chosen = scenes.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
if (wanted.length === 0) await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const browser = await launchBrowser()
for (const scene of chosen) {
  for (const size of Object.keys(sizes)) {
    for (const colorScheme of colorSchemes) {
      await take(browser, scene, size, colorScheme).catch((error) => {
        console.error(`✗ ${scene.name} ${size} ${colorScheme}: ${error.message}`)
        process.exitCode = 1
      })
    }
  }
}
await browser.close()
console.log(
  `✓ ${chosen.length} scenes, each in ${Object.keys(sizes).length} sizes and ${colorSchemes.length} schemes, in ${folder}`,
)
