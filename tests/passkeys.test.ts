import { auth } from '@parlance/service-auth'
import { describeWithPrograms, freePort } from '@parlance/testing'
import { launchHeadlessShell } from '@parlance/testing/browser'
import type { Browser, Page } from 'playwright-core'
// Loaded before the first call, whose deadline the loading would exceed on a busy machine.
import '../services/auth/src/people/accounts.js'
import { dialogFaultsOf } from './dialog-reach.js'
import { startTogether, type TestPlatform } from './platforms.js'

const email = 'ada@example.com'

describeWithPrograms(['chromium'], 'a passkey', () => {
  let platform: TestPlatform
  let browser: Browser
  let url: string
  beforeAll(async () => {
    const port = String(await freePort())
    url = `http://localhost:${port}`
    platform = await startTogether({ PORT: port, PUBLIC_URL: url })
    const { id } = await platform.auth.createWorkspace({ name: 'Acme', capabilities: ['tts', 'agents'] })
    await platform.people.addPerson({ email, name: 'Ada', workspace_id: id, role: 'owner' })
    browser = await launchHeadlessShell()
  })
  afterAll(async () => {
    await browser?.close()
    await platform?.stop()
  })

  /** Gives the page a device that makes passkeys, and that its user can unlock. */
  const addDevice = async (page: Page) => {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
        ...{ isUserVerified: true, automaticPresenceSimulation: true },
      },
    })
    return {
      passkeys: async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
      /** Whether its user can unlock it. */
      setUnlockable: (isUserVerified: boolean) =>
        devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    }
  }

  test('is added by a person, signs in without a password where it is unlocked, and no longer signs in once it is removed', async () => {
    const page = await browser.newPage()
    page.setDefaultTimeout(60_000)
    const device = await addDevice(page)
    const { path } = await platform.people.createAccountLink({ email, kind: 'sign_in' })
    await page.goto(`${url}${path}`)
    await page.waitForSelector('main h1')
    await page.goto(`${url}/account`)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const database = await platform.openDatabase(auth.databases![0]!)
    await database.query(`update people_sessions set created_at = created_at - interval '2 days'`)
    await button('Add a passkey').click()
    await page.getByText('Sign in again to add a passkey.').waitFor()
    expect(await page.getByRole('link', { name: 'Sign in again' }).getAttribute('href')).toBe(
      '/sign-in?next=%2Faccount',
    )
    expect(await device.passkeys()).toBe(0)
    await database.query(`update people_sessions set created_at = created_at + interval '2 days'`)
    await database.close()
    await button('Add a passkey').click()
    await page.getByRole('table', { name: 'Passkeys' }).waitFor()
    expect(await device.passkeys()).toBe(1)

    await button('Add a passkey').click()
    await page.getByText('This device already has a passkey for you.').waitFor()

    const signInPage = async () => {
      await page.context().clearCookies()
      await page.goto(`${url}/sign-in`)
      await button('Sign in with a passkey').click()
    }
    const isRefused = async () => {
      await page.getByRole('alert').waitFor()
      return new URL(page.url()).pathname === '/sign-in'
    }
    await device.setUnlockable(false)
    await signInPage()
    expect(await isRefused()).toBe(true)
    await device.setUnlockable(true)
    await signInPage()
    await page.waitForURL((address) => !address.pathname.startsWith('/sign-in'))
    await page.goto(`${url}/account`)
    expect(await dialogFaultsOf(page, { button: 'Remove' })).toEqual([])
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('table', { name: 'Passkeys' }).waitFor({ state: 'detached' })

    await signInPage()
    expect(await isRefused()).toBe(true)
    await page.context().close()
  })
})
