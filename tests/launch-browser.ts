import { findBinary } from '@parlance/testing'
import { type Browser, chromium } from 'playwright-core'

/** The machine's Chromium, without a window. */
export const launchBrowser = (...args: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: findBinary('chromium')!,
    // A container's root has no sandbox to put a browser into.
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...args],
  })
