import { testedBrowser } from '@parlance/testing/browser'
import type { Browser, Page } from 'playwright-core'

/** A function that grants or denies `origin` the microphone, in the browser context of `page`. */
export const openMicrophonePermission = async (browser: Browser, page: Page, origin: string) => {
  // A program that drives Firefox can grant the microphone, but not deny it, so the page itself does.
  if (testedBrowser === 'firefox') {
    return (setting: 'granted' | 'denied'): Promise<void> => page.evaluate(`page.setMicrophone('${setting}')`)
  }
  // The setting lasts for as long as this session is open.
  const session = await browser.newBrowserCDPSession()
  const target = await page.context().newCDPSession(page)
  const { targetInfo } = await target.send('Target.getTargetInfo')

  return async (setting: 'granted' | 'denied'): Promise<void> => {
    await session.send('Browser.setPermission', {
      permission: { name: 'microphone' },
      setting,
      origin,
      browserContextId: targetInfo.browserContextId!,
    })
  }
}
