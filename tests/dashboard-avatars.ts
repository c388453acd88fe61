import type { DashboardScene } from './dashboard-scene.js'
import { dialogFaultsOf } from './dialog-reach.js'
import { allFaultsOf } from './page-faults.js'

/** The page of avatars. */
export const testAvatarsPage = (scene: () => DashboardScene): void => {
  test('an avatar is found by a part of its name, and is drawn when its preview is opened, and not loaded before', async () => {
    const page = await scene().openAs('member')
    const models: string[] = []
    page.on('request', (request) => request.url().endsWith('.glb') && models.push(request.url()))
    await page.goto(`${scene().url}/avatars`)
    const names = page.getByRole('main').getByRole('heading', { level: 2 })
    await names.nth(1).waitFor()
    const search = page.getByRole('searchbox', { name: 'Search for avatars' })
    await search.fill('nothing')
    await page.getByRole('heading', { name: 'No avatar matches' }).waitFor()
    await search.fill(' MIR')
    await page.getByRole('button', { name: 'Preview Mira' }).waitFor()
    expect(await names.allTextContents()).toEqual(['Mira'])
    expect(models).toEqual([])

    await page.getByRole('button', { name: 'Preview Mira' }).click()
    await page.waitForSelector('[role=dialog] [data-status=ready] canvas')
    expect(models).toHaveLength(1)
    expect(await allFaultsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await dialogFaultsOf(page, { button: 'Preview Mira' })).toEqual([])
  })
}
