import type { Page } from 'playwright-core'
import type { FileServer, ServedFile } from '../libs/models/test/install/file-server.js'
import { dialogFaultsOf } from './dialog-reach.js'
import { allFaultsOf } from './page-faults.js'
import type { TestPlatform } from './platforms.js'

export interface ModelsScene {
  readonly platform: TestPlatform
  readonly page: Page
  readonly workspaceId: string
  /** Serves the files of the one model of the catalog. */
  readonly mirror: Pick<FileServer, 'cut'>
  readonly weights: ServedFile
}

/** The page of operators on which models are installed and removed. `name` is that of the one model, which speaks English. */
export const testModelsPage = (name: string, scene: () => ModelsScene): void => {
  const openModels = async () => {
    const { platform, page, workspaceId } = scene()
    const email = 'operator@example.com'
    await platform.people.addPerson({ email, workspace_id: workspaceId, role: 'member' })
    await platform.people.setOperator({ email, is_operator: true })
    const { path } = await platform.people.createAccountLink({ email, kind: 'sign_in' })
    page.setDefaultTimeout(60_000)
    await page.goto(`${platform.urls[0]}${path}`)
    await page.getByRole('link', { name: 'Models' }).click()
  }

  test('an operator finds a model, sees why a download fails, installs it with its progress shown, and removes it', async () => {
    const { page, mirror, weights } = scene()
    await openModels()
    await page.getByRole('heading', { name: 'No model is installed' }).waitFor()
    const search = page.getByRole('searchbox', { name: 'Search for models' })
    await search.fill('klingon')
    await page.getByRole('heading', { name: 'No model matches' }).waitFor()
    await search.fill('english joe')
    expect(await dialogFaultsOf(page, { button: `Install ${name}` })).toEqual([])

    weights.status = 404
    await page.getByRole('button', { name: `Install ${name}` }).click()
    await page.getByRole('button', { name: 'Accept and install' }).click()
    expect(await page.getByRole('alert').textContent()).toContain(`${name}.onnx`)
    delete weights.status
    Object.assign(weights, { stopAfterBytes: Math.floor(weights.content.length / 3), stops: 1 })
    await page.getByRole('button', { name: 'Accept and install' }).click()
    await page.getByText(/^\d+\.\d MB of \d+\.\d MB, \d+ %$/).waitFor()
    expect(await allFaultsOf(page)).toEqual([])
    mirror.cut()
    const table = page.getByRole('table', { name: 'Installed models' })
    await table.getByRole('row', { name: /American English/ }).waitFor()
    expect(await page.getByRole('button', { name: `Install ${name}` }).count()).toBe(0)
    expect(await allFaultsOf(page)).toEqual([])

    expect(await dialogFaultsOf(page, { button: `Remove ${name}` })).toEqual([])
    await page.getByRole('button', { name: `Remove ${name}` }).click()
    await page.getByRole('button', { name: 'Remove it' }).click()
    await page.getByRole('heading', { name: 'No model is installed' }).waitFor()
  })
}
