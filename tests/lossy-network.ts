import type { BrowserContext } from 'playwright-core'

/**
 * Opens a page with a client, cuts its network until the client reconnects, hides the page, restores the network, and expects
 * that the same session answers. `makeClient` is the expression that creates the client.
 */
export const expectSessionSurvivesNetworkLoss = async (
  context: BrowserContext,
  url: string,
  makeClient: string,
): Promise<void> => {
  const page = await context.newPage()
  const ask = <Value>(expression: string): Promise<Value> => page.evaluate(expression)
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  /** The share of UDP packets that are lost. The first call must come before a connection is opened. */
  const losePackets = (percent: number) => {
    const unlimited = { offline: false, latency: 1, downloadThroughput: -1, uploadThroughput: -1 }
    return network.send('Network.emulateNetworkConditions', { ...unlimited, packetLoss: percent })
  }
  await losePackets(0.001)
  await page.goto(url)
  await ask(makeClient)
  const { id } = await ask<{ id: string }>('page.connect({ textOnly: true })')
  await ask(`page.next('connectionState', 'connected')`)
  await losePackets(100)
  await ask(`page.next('connectionState', 'reconnecting')`)
  await ask(`Object.defineProperty(document, 'hidden', { value: true, configurable: true })`)
  await ask(`document.dispatchEvent(new Event('visibilitychange'))`)
  await losePackets(0.001)
  await ask(`page.next('connectionState', 'connected')`)
  await ask(`client.sendText('What is two plus three?')`)
  await ask(`page.next('transcript', { role: 'agent', text: 'That is 5.', final: true })`)
  expect(await ask('client.session.id')).toBe(id)
  await ask('client.disconnect()')
  await page.close()
}
