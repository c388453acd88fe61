import type { Browser } from 'playwright-core'
import { routeMedia } from './network-change.js'

/**
 * Opens a page with a client in a browser context of its own, loses all UDP packets until the client reconnects, hides the page,
 * restores the network, and expects that the same session answers. `makeClient` is the expression that creates the client.
 */
export const expectSessionSurvivesNetworkLoss = async (
  browser: Browser,
  url: string,
  makeClient: string,
): Promise<void> => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const ask = <Value>(expression: string): Promise<Value> => page.evaluate(expression)
  const media = await routeMedia(page)
  try {
    await page.goto(url)
    await ask(makeClient)
    const { id } = await ask<{ id: string }>('page.connect({ textOnly: true })')
    await ask(`page.next('connectionState', 'connected')`)
    media.lose(true)
    await ask(`page.next('connectionState', 'reconnecting')`)
    await ask(`Object.defineProperty(document, 'hidden', { value: true, configurable: true })`)
    await ask(`document.dispatchEvent(new Event('visibilitychange'))`)
    media.lose(false)
    await ask(`page.next('connectionState', 'connected')`)
    await ask(`client.sendText('What is two plus three?')`)
    await ask(`page.next('transcript', { role: 'agent', text: 'That is 5.', final: true })`)
    expect(await ask('client.session.id')).toBe(id)
    await ask('client.disconnect()')
  } finally {
    await context.close()
    media.close()
  }
}
