import type { Page } from 'playwright-core'
import type { DashboardScene } from './dashboard-scene.js'
import { dialogFaultsOf } from './dialog-reach.js'
import { allFaultsOf, transitionsEnded } from './page-faults.js'
import { phone, resize } from './page-reach.js'

const command = 'npx parlance models install en_US-joe-medium'
const license = { of: 'Joe (medium)', license: 'CC0', source: 'https://collection.example/license', lineage: null }
const voice = { name: 'en_US-joe-medium', display_name: 'Joe (medium)', language: 'en-US', size_bytes: 63_201_294 }
const offered = { command, voice: { ...voice, licenses: [license] } }
const problem = {
  ...{ event: 'error', code: 'upstream_error', retryable: true },
  detail: `The file no longer exists at https://collection.example/${'voice'.repeat(20)}.`,
}

interface DialogState {
  readonly state: string
  readonly offer?: object
  /** The last event of the installation; the server does not send it while the installation runs. */
  readonly event?: object
  readonly isInstalled?: true
}

const states: readonly DialogState[] = [
  { state: 'offered' },
  { state: 'elsewhere', offer: { command, voice: null } },
  { state: 'downloading', isInstalled: true },
  { state: 'loading', isInstalled: true, event: { event: 'installed' } },
  { state: 'failed', isInstalled: true, event: problem },
]

const offer = (page: Page) => page.route('**/try/natural-voice*', (route) => route.fulfill({ json: offered }))

const enter = async (page: Page, { state, offer = offered, event, isInstalled }: DialogState): Promise<void> => {
  await page.route('**/try/natural-voice*', (route) => route.fulfill({ json: offer }))
  await page.route(
    '**/try/models',
    (route) => event && route.fulfill({ body: `${JSON.stringify(event)}\n`, contentType: 'application/x-ndjson' }),
  )
  await page.reload()
  await page.click('#get-voice')
  if (isInstalled) {
    await page.check('#accept-license')
    await page.click('#install-voice')
  }
  await page.waitForSelector(`#natural-voice[data-state=${state}]`)
  await page.evaluate(transitionsEnded)
}

const isCut = (element: { scrollWidth: number; clientWidth: number }) => element.scrollWidth > element.clientWidth

/** The dialog in which a natural voice is installed, with answers of a server that each state needs. */
export const testNaturalVoiceDialog = (scene: () => DashboardScene): void => {
  test('all of the dialog for a natural voice is on a large screen and on a phone, in every state', async () => {
    const page = await scene().openApartAs('owner')
    await page.goto(`${scene().url}/playground/speech`)
    for (const shown of states) {
      await enter(page, shown)
      const dialog = page.getByRole('dialog')
      for (const viewport of [phone, { width: 1366, height: 650 }]) {
        await resize(page, viewport)
        await page.evaluate(transitionsEnded)
        const box = (await dialog.boundingBox())!
        expect([box.x >= 0, box.y >= 0]).toEqual([true, true])
        expect(box.x + box.width).toBeLessThanOrEqual(viewport.width)
        expect(box.y + box.height).toBeLessThanOrEqual(viewport.height)
        expect(await dialog.evaluate(isCut)).toBe(false)
      }
      await page.unrouteAll({ behavior: 'ignoreErrors' })
    }
    expect(await allFaultsOf(page)).toEqual([])
    await offer(page)
    await page.reload()
    expect(await dialogFaultsOf(page, { button: 'Get a natural voice' })).toEqual([])
  })
}
