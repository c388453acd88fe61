import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Role } from '@parlance/contracts'
import type { Page } from 'playwright-core'
import { describeDashboard } from './dashboard-scene.js'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const refused = 'Not for your role'

/** The title that each role sees at each path. */
const pages: readonly { readonly path: string; readonly titles: Readonly<Record<Role, string>> }[] = [
  { path: '/keys', titles: { owner: 'API keys', admin: 'API keys', member: refused } },
  { path: '/members', titles: { owner: 'Members', admin: 'Members', member: 'Members' } },
  { path: '/account', titles: { owner: 'Account', admin: 'Account', member: 'Account' } },
]

const title = (page: Page) => page.locator('h1').textContent()

interface AxeResult {
  readonly violations: readonly { id: string; impact: string; nodes: readonly { html: string }[] }[]
}

/** What axe finds on the page that is serious or critical. */
const faultsOf = async (page: Page, options: object = {}): Promise<string[]> => {
  await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResult>(`axe.run(${JSON.stringify(options)})`)
  return violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${page.url()} ${id}: ${html}`))
}

/** In both colour schemes. Only the contrasts differ between them. */
const allFaultsOf = async (page: Page): Promise<string[]> => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const inLight = await faultsOf(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  return [...inLight, ...(await faultsOf(page, { runOnly: ['color-contrast'] }))]
}

describeDashboard('the dashboard', (scene) => {
  /** Pages that look the same to two roles are examined once. */
  const examined = new Set<string>()

  test.each(['owner', 'admin', 'member'] as const)(
    'shows a person with the role %s each page that is for the role, without an error and without a barrier',
    async (role) => {
      const page = await scene().openAs(role)
      for (const { path, titles } of pages) {
        await page.goto(`${scene().url}${path}`)
        await page.waitForLoadState('networkidle')
        expect([path, await title(page)]).toEqual([path, titles[role]])
        if (examined.has(titles[role])) continue
        examined.add(titles[role])
        expect(await allFaultsOf(page)).toEqual([])
      }
    },
  )
})
