/** What axe finds on pages. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { html: string; failureSummary: string }[]
}

/** What is serious or critical on the page as it is now. */
export const faultsOf = async (page: Page, options: object = {}): Promise<string[]> => {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axe)
  // Only the violations leave the page: passed and undecided checks are megabytes.
  const violations = await page.evaluate<Violation[]>(
    `axe.run(${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) => violations)`,
  )
  return violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${page.url()} ${id}: ${html} ${failureSummary}`),
    )
}

/** Colors on their way to those of the other scheme have contrasts of their own. */
export const transitionsEnded = `Promise.allSettled(document.getAnimations()
  .filter((animation) => animation instanceof CSSTransition).map(({ finished }) => finished))`

const showIn = async (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  // The page changes its colors a moment after the browser does.
  await page.waitForSelector(`html[data-mantine-color-scheme=${colorScheme}]`, { state: 'attached' })
  await page.evaluate(transitionsEnded)
}

export const lowContrastsOf = async (page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> => {
  await showIn(page, colorScheme)
  return faultsOf(page, { runOnly: ['color-contrast'] })
}

/** What is serious or critical, in both color schemes. Only the contrasts differ between them. */
export const allFaultsOf = async (page: Page): Promise<string[]> => {
  await showIn(page, 'light')
  const inLight = await faultsOf(page)
  return [...inLight, ...(await lowContrastsOf(page, 'dark'))]
}
