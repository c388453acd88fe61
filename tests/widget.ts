import type { Page } from 'playwright-core'
import { faultsOf, transitionsEnded } from './page-faults.js'

/** In the page's own text, which the widget must not inherit. */
const pageOf = (tag: string): string =>
  `<!doctype html><html lang="en-GB"><title>A shop</title><link rel="icon" href="data:,">
   <body style="font: 30px cursive; color: red"><main><h1>A shop</h1></main>${tag}</body></html>`

/** Replaces the page by one of the same origin that has this tag of the widget and its script. */
export const openWidget = async (page: Page, gatewayUrl: string, attributes: string): Promise<void> => {
  const script = `<script src="${gatewayUrl}/widget.js"></script>`
  await page.setContent(pageOf(`${script}<parlance-agent ${attributes}></parlance-agent>`))
}

/** What axe finds in both color schemes. */
export const widgetFaultsOf = async (page: Page): Promise<string[]> => {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.evaluate(transitionsEnded)
    found.push(...(await faultsOf(page)))
  }
  return found
}
