import type { Page } from 'playwright-core'
import type { DashboardScene } from './dashboard-scene.js'

/** Longer than the dashboard keeps who is signed in. */
const laterMs = 61_000

/** People in several workspaces, in several tabs. */
export const testWorkspaceTabs = (scene: () => DashboardScene): void => {
  const shown = (page: Page) => page.getByRole('button', { name: /^Workspace: / }).getAttribute('aria-label')

  /** A person in two workspaces, signed in, with the ids of both. */
  const openInTwo = async (email: string) => {
    const { platform, url, workspaceId } = scene()
    const first = await platform.auth.createWorkspace({ name: 'First', capabilities: ['agents'] })
    const people = [workspaceId, first.id].map(
      (id) => ({ workspace_id: id, email, name: 'Both', role: 'owner' }) as const,
    )
    for (const person of people) await platform.people.addPerson(person)
    const page = await scene().open()
    const { path } = await platform.people.createAccountLink({ email, kind: 'sign_in' })
    await page.goto(`${url}${path}`)
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    return { page, firstId: first.id }
  }

  const choose = async (page: Page, name: string) => {
    await page.getByRole('button', { name: /^Workspace: / }).click()
    await page.getByRole('menuitem', { name }).click()
    await page.getByRole('button', { name: `Workspace: ${name}` }).waitFor()
  }

  test('a tab stays in its workspace when another one is chosen in another tab, and a new tab begins with the last choice', async () => {
    const { page, firstId } = await openInTwo('tabs@example.com')
    expect(await shown(page)).toBe('Workspace: Acme')
    const other = await page.context().newPage()
    await other.goto(`${scene().url}/members`)
    await choose(other, 'First')

    const named: (string | undefined)[] = []
    page.on('request', (request) => {
      const id = request.headers()['x-parlance-workspace']
      if (id !== undefined) named.push(id)
    })
    for (const name of ['Conversations', 'Settings', 'Agents']) {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { name, exact: true }).waitFor()
      await page.waitForSelector('[aria-label=Loading]', { state: 'detached' })
    }
    expect(await shown(page)).toBe('Workspace: Acme')
    await page.reload()
    await page.getByRole('heading', { name: 'Agents' }).waitFor()
    expect(await shown(page)).toBe('Workspace: Acme')
    expect([...new Set(named)]).toEqual([scene().workspaceId])

    const third = await page.context().newPage()
    await third.goto(`${scene().url}/keys`)
    await third.getByRole('heading', { name: 'API keys' }).waitFor()
    expect(await shown(third)).toBe('Workspace: First')
    expect(firstId).not.toBe(scene().workspaceId)
  })

  test('a workspace that is chosen is the one of the next page, also when a link under the pointer is preloaded before that page loads', async () => {
    const { page } = await openInTwo('hovers@example.com')
    const link = await page.getByRole('link', { name: 'Avatars' }).boundingBox()
    await page.route(`${scene().url}/`, async (route) => {
      const preloaded = page.waitForRequest(/avatars-page/)
      await page.mouse.move(link!.x + 1, link!.y + 1, { steps: 2 })
      await preloaded
      await route.continue()
    })
    await choose(page, 'First')
  })

  test('a person who was removed from the workspace of a page gets the page of another one, loaded from its beginning', async () => {
    const email = 'removed@example.com'
    const { page } = await openInTwo(email)
    await page.clock.install()
    await page.reload()
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    await page.evaluate('globalThis.isSameDocument = true')
    const { platform, workspaceId } = scene()
    await platform.people.removeMember({ email, workspace_id: workspaceId })
    await page.clock.fastForward(laterMs)
    await page.getByRole('link', { name: 'Voices' }).click()
    await page.getByRole('button', { name: 'Workspace: First' }).waitFor()
    expect(await page.evaluate('globalThis.isSameDocument')).toBeUndefined()
  })
}
