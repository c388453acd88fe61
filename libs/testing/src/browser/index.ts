import { type Browser, chromium } from 'playwright-core'
import { findBinary } from '../installed-programs.js'

/**
 * Starts the installed Chromium without a window, with these command line arguments. Rejects when none is installed or it
 * does not start.
 */
export const launchBrowser = (...args: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: findBinary('chromium')!,
    // Chromium refuses to start its sandbox as root.
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...args],
  })
