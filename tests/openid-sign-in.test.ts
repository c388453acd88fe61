import { randomUUID } from 'node:crypto'
import { freePort } from '@parlance/testing'
import type { Page } from 'playwright-core'
import {
  client,
  type Fault,
  type Identity,
  type OpenIdProvider,
  startOpenIdProvider,
} from '../services/auth/test/people/openid-provider.js'
import { describeDashboard, emailOf } from './dashboard-scene.js'
import { allFaultsOf } from './page-faults.js'

let provider: OpenIdProvider

/** The dashboard is on another site than the provider, as it is for people. */
const environment = async () => {
  const PORT = String(await freePort())
  const PUBLIC_URL = `http://localhost:${PORT}`
  provider = await startOpenIdProvider(`${PUBLIC_URL}/dashboard/auth/callback/oidc`, { asks: true })
  return {
    ...{ PORT, PUBLIC_URL, OIDC_ISSUER: provider.issuer, OIDC_NAME: 'Northwind' },
    ...{ OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
  }
}

const newIdentity = (email: string, more: Partial<Identity> = {}): Identity => ({
  ...{ sub: randomUUID(), email, email_verified: true, name: 'Grace Hopper', ...more },
})

describeDashboard(
  'signing in by an OpenID Connect provider in a browser',
  (scene) => {
    afterAll(() => provider?.stop())

    const open = async (path = '/sign-in'): Promise<Page> => {
      const page = await scene().open()
      // The pages of the provider name a font that is elsewhere.
      await page.route('https://fonts.googleapis.com/**', (route) => route.fulfill({ contentType: 'text/css' }))
      await page.goto(`${scene().url}${path}`)
      return page
    }
    const button = (page: Page) => page.getByRole('button', { name: 'Sign in with Northwind' })
    const isAtProvider = (address: URL) => address.origin === provider.issuer

    const goToProvider = async (page: Page, identity: Identity, fault?: Fault) => {
      provider.signInAs(identity, fault)
      await button(page).click()
      await page.waitForURL(isAtProvider)
    }
    const signInThere = async (page: Page, { sub }: Identity) => {
      await page.getByPlaceholder('Enter any login').fill(sub)
      await page.getByPlaceholder('and password').fill('any')
      await page.getByRole('button', { name: 'Sign-in' }).click()
    }
    const signOut = async (page: Page) => {
      await page.getByRole('button', { name: 'Your account' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.waitForURL('**/sign-in')
    }
    /** What the page "Sign in" says after a sign-in that failed. The person can begin again there, and is not signed in. */
    const refusalOn = async (page: Page): Promise<string | null> => {
      await page.waitForURL((address) => address.pathname === '/sign-in' && address.searchParams.has('error'))
      const message = await page.getByRole('alert').textContent()
      expect(await button(page).isEnabled()).toBe(true)
      expect((await page.request.get(`${scene().url}/dashboard/api/signed-in`)).status()).toBe(401)
      return message
    }

    test('a member comes back to the page that was asked for, signs out, and signs in again without being asked there', async () => {
      const page = await open('/members')
      await page.waitForURL('**/sign-in?next=*')
      await button(page).waitFor()
      expect(await allFaultsOf(page)).toEqual([])
      const identity = newIdentity(emailOf('member'))
      await goToProvider(page, identity)
      await signInThere(page, identity)
      await page.waitForURL('**/members')
      await page.getByRole('row', { name: /The member.*member@example\.com/ }).waitFor()
      await page.goto(`${scene().url}/account`)
      await page.getByRole('button', { name: 'Set the password' }).waitFor()
      expect(await page.getByRole('link', { name: 'Set a password' }).count()).toBe(0)
      expect(await allFaultsOf(page)).toEqual([])

      await signOut(page)
      await page.goto(`${scene().url}/members`)
      await page.waitForURL('**/sign-in?next=*')
      await button(page).click()
      await page.waitForURL('**/members')
      await page.getByRole('heading', { name: 'Members' }).waitFor()
    })

    test('an invited person gets an account by the provider, joins the workspace, and signs in to it from then on', async () => {
      const identity = newIdentity('grace@example.com')
      const { platform, workspaceId } = scene()
      const invitation = { workspace_id: workspaceId, email: identity.email, role: 'admin' } as const
      const { path } = await platform.people.createInvitation(invitation)
      const page = await open(path)
      await goToProvider(page, identity)
      await signInThere(page, identity)
      await page.getByText('You are signed in as grace@example.com.').waitFor()
      expect(await allFaultsOf(page)).toEqual([])
      await page.getByRole('button', { name: 'Join', exact: true }).click()
      await page.getByRole('heading', { name: 'Get started' }).waitFor()
      await signOut(page)
      await button(page).click()
      await page.getByRole('heading', { name: 'Get started' }).waitFor()
      await page.goto(`${scene().url}/members`)
      await page.getByRole('row', { name: /Grace Hopper.*grace@example\.com/ }).waitFor()
      // For Admins alone.
      await page.goto(`${scene().url}/keys`)
      await page.getByRole('heading', { name: 'API keys' }).waitFor()
    })

    test('an address that the provider has not verified does not take over an account, and an unknown person does not get one', async () => {
      const taken = newIdentity(emailOf('owner'), { email_verified: false })
      const page = await open()
      await goToProvider(page, taken)
      await signInThere(page, taken)
      expect(await refusalOn(page)).toContain('not verified by the provider')
      expect(await allFaultsOf(page)).toEqual([])
      await page.context().close()

      const unknown = newIdentity('unknown@example.com')
      const other = await open()
      await goToProvider(other, unknown)
      await signInThere(other, unknown)
      expect(await refusalOn(other)).toContain('no account and no invitation for your address')
    })

    const identity = newIdentity(emailOf('admin'))

    test.each<[string, Fault, string]>([
      ['a nonce of another sign-in', { claims: { nonce: 'of-another-sign-in' } }, 'could not be verified'],
      ['no tokens', { noTokens: true }, 'did not confirm the sign-in'],
    ])('a provider that sends %s does not sign in the person, and the page says so', async (_, fault, message) => {
      const page = await open('/sign-in?next=%2Fmembers')
      await goToProvider(page, identity, fault)
      await signInThere(page, identity)
      expect(await refusalOn(page)).toContain(message)
      // Without the fault the next attempt leads to where the first one should have.
      provider.signInAs(identity)
      await button(page).click()
      await page.waitForURL('**/members')
    })

    test('a person who cancels there or goes back, or who has the answer for another browser, sees a page that explains it', async () => {
      const page = await open()
      await goToProvider(page, identity)
      await page.getByRole('link', { name: 'Cancel' }).click()
      expect(await refusalOn(page)).toContain('did not sign you in')

      await goToProvider(page, identity)
      await page.context().clearCookies({ domain: 'localhost' })
      await signInThere(page, identity)
      expect(await refusalOn(page)).toContain('began in another browser')
      await page.goto(`${scene().url}/dashboard/auth/callback/oidc?code=stolen&state=guessed`)
      expect(await refusalOn(page)).toContain('began in another browser')

      // The page stays, as it does in the memory of a browser.
      await page.route(isAtProvider, (route) => route.abort('aborted'))
      await button(page).click()
      await page.locator('button[data-loading]').waitFor()
      // As Safari shows a page to a person who goes back to it.
      await page.evaluate(`dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
      await button(page).click({ trial: true })
    })

    test('a provider that does not answer is named on the page, where the person stays', async () => {
      const page = await open()
      await button(page).waitFor()
      await provider.stop()
      await button(page).click()
      await page.getByRole('alert').getByText('Northwind cannot be reached. Try again.').waitFor()
      expect(new URL(page.url()).pathname).toBe('/sign-in')
      expect(await allFaultsOf(page)).toEqual([])
    })
  },
  environment,
)
