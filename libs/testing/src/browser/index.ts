import { type Browser, chromium, firefox } from 'playwright-core'
import { findBinary, findFirefox } from '../installed-programs.js'

const launch = (executablePath: string, args: readonly string[]): Promise<Browser> =>
  chromium.launch({
    executablePath,
    // Chromium refuses to start its sandbox as root.
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...args],
  })

/**
 * Starts the installed Chromium without a window, with these command line arguments. Rejects when none is installed or it
 * does not start.
 */
export const launchBrowser = (...args: readonly string[]): Promise<Browser> => launch(findBinary('chromium')!, args)

/**
 * The same for pages that use no microphone, by Chromium's build without windows where it is installed. It shows pages alike
 * with less than half of the CPU time, but lacks what asks a person for a device.
 */
export const launchHeadlessShell = (...args: readonly string[]): Promise<Browser> =>
  launch(findBinary('chromium-headless-shell') ?? findBinary('chromium')!, args)

/** The browser of the suites that `npm run test:firefox` runs too. */
export const testedBrowser: 'chromium' | 'firefox' = process.env.TEST_BROWSER === 'firefox' ? 'firefox' : 'chromium'

/**
 * Starts the installed Firefox without a window, with these preferences beside a microphone that hums and pages that prefer
 * reduced motion. WebDriver BiDi drives it: what needs a session of the DevTools protocol throws an error.
 */
export const launchFirefox = (
  preferences: Readonly<Record<string, string | number | boolean>> = {},
): Promise<Browser> =>
  firefox.launch({
    executablePath: findFirefox()!,
    // Other channels are a Firefox that Playwright has built.
    channel: 'moz-firefox',
    firefoxUserPrefs: {
      'media.navigator.streams.fake': true,
      'media.navigator.permission.disabled': true,
      // A sound card that Firefox emulates. Its output to PulseAudio deadlocks now and then, and all its pages with it.
      'media.cubeb.force_mock_context': true,
      'ui.prefersReducedMotion': 1,
      ...preferences,
    },
  })
