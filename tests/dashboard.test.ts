import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { startWebhookReceiver } from '@parlance/testing'
import type { Page } from 'playwright-core'
import { createApi } from './api.js'
import { testDialogs } from './dashboard-dialogs.js'
import { testMailedInvitations } from './dashboard-invitations.js'
import { testRefreshing } from './dashboard-refreshing.js'
import { describeDashboard, emailOf } from './dashboard-scene.js'
import { pageTitles } from './dashboard-titles.js'
import { testWorkspaceTabs } from './dashboard-workspaces.js'
import { eventually } from './eventually.js'
import { allFaultsOf, lowContrastsOf } from './page-faults.js'
import { reachFaultsOf } from './page-reach.js'
import { recordConversation } from './recorded-conversation.js'

const run = promisify(execFile)

/** The Agent, the conversation and the webhook that the pages of one thing show. */
interface Things {
  readonly agent: string
  readonly conversation: string
  readonly webhook: string
}

const title = (page: Page) => page.locator('h1').textContent()

describeDashboard('the dashboard', (scene) => {
  let things: Things
  beforeAll(async () => {
    const { platform, workspaceId, url } = scene()
    const shown = { agent: 'Shown desk', text: 'What is your name?', label: 'Shown' }
    const { agentId, sessionId } = await recordConversation(platform, workspaceId, shown)
    const { key } = await platform.auth.createKey({ workspace_id: workspaceId, label: 'Webhooks' })
    const webhook = { url: 'https://receiver.example.com/hooks', events: ['credit.exhausted'] }
    const { body } = await createApi(url, `Bearer ${key}`).post('/v1/webhooks', webhook)
    things = { agent: agentId, conversation: sessionId, webhook: body.id }
  })

  /** Pages that look the same to two roles are examined once. */
  const examined = new Set<string>()

  /** Opens the page as a link does. TanStack Router takes notice of the history. */
  const follow = (page: Page, address: string) => page.evaluate(`history.pushState({}, '', ${JSON.stringify(address)})`)

  test.each(['owner', 'admin', 'member'] as const)(
    'shows a person with the role %s each page that is for the role, without an error and without a barrier',
    async (role) => {
      const page = await scene().openAs(role)
      let shown: string | undefined
      for (const { path, titles } of pageTitles) {
        const address = path.replace(/\$(\w+)/, (_, name: keyof Things) => things[name])
        // A page with the title of the one before must not be taken for it.
        if (shown === undefined || shown === titles[role]) await page.goto(`${scene().url}${address}`)
        else await follow(page, address)
        shown = titles[role]
        // Titles have the names of things once these are loaded.
        await page.locator('main h1', { hasText: titles[role] }).waitFor()
        await page.waitForSelector('[aria-label=Loading]', { state: 'detached' })
        expect([path, await title(page)]).toEqual([path, titles[role]])
        if (examined.has(titles[role])) continue
        examined.add(titles[role])
        expect(await allFaultsOf(page)).toEqual([])
        expect(await reachFaultsOf(page)).toEqual([])
      }
    },
  )

  const password = 'a long enough password'

  const signIn = async (page: Page, email: string) => {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  test('a password is chosen by a link, signs in to the page that was asked for, and a wrong one is explained', async () => {
    const { platform, workspaceId } = scene()
    const email = 'forgetful@example.com'
    await platform.people.addPerson({ email, name: 'Forgetful', workspace_id: workspaceId, role: 'owner' })
    const page = await scene().open()
    const { path } = await platform.people.createAccountLink({ email, kind: 'password' })
    await page.goto(`${scene().url}${path}`)
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button', { name: 'Change the password' }).click()
    await page.getByText('Your password is changed').waitFor()

    await page.goto(`${scene().url}/members`)
    await page.waitForURL('**/sign-in?next=*')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('another long password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    // What is refused is said at its field, which has the focus.
    await page.locator('[name=password][aria-invalid=true]:focus').waitFor()
    await page.getByText('Invalid email or password.').waitFor()
    await signIn(page, email)
    await page.waitForURL('**/members')

    await page.goto(`${scene().url}/account`)
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.waitForURL('**/sign-in')
    await page.goto(`${scene().url}/keys`)
    await page.waitForURL('**/sign-in?next=*')
  })

  test('a link that signs in works once, and says so afterwards', async () => {
    const { path } = await scene().platform.people.createAccountLink({ email: emailOf('member'), kind: 'sign_in' })
    const [first, second] = [await scene().open(), await scene().open()]
    await first.goto(`${scene().url}${path}`)
    await first.getByRole('heading', { name: 'Overview' }).waitFor()
    await second.goto(`${scene().url}${path}`)
    expect(await second.getByRole('alert').textContent()).toContain('has been used or is too old')
  })

  test('a person who came by a link is asked to set a password, and signs in with it from then on', async () => {
    const { platform, workspaceId, url } = scene()
    const person = { workspace_id: workspaceId, email: 'first@example.com', name: 'First', role: 'owner' } as const
    await platform.people.addPerson(person)
    const { path } = await platform.people.createAccountLink({ email: person.email, kind: 'sign_in' })
    const page = await scene().open()
    await page.goto(`${url}${path}`)
    await page.getByRole('link', { name: 'Set a password' }).click()
    await page
      .locator('input')
      .and(page.getByLabel('Password', { exact: true }))
      .fill(password)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByRole('button', { name: 'Change the password' }).waitFor()
    expect(await page.getByText('Saved.').count()).toBe(1)
    await page.goto(`${url}/members`)
    await page.getByRole('heading', { name: 'Members' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('link', { name: 'Set a password' }).count()).toBe(0)

    const other = await scene().open()
    await other.goto(`${url}/sign-in`)
    await signIn(other, person.email)
    await other.getByRole('heading', { name: 'Get started' }).waitFor()
  })

  test('a new key is shown once, works in the command of the page, and is refused at once when it is revoked', async () => {
    const page = await scene().openAs('admin', '/keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByLabel('Label').fill('Web site')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const key = (await page.getByRole('group', { name: 'the key' }).textContent())!
    expect(key).toMatch(/^awp_/)
    await page.getByRole('button', { name: 'Done' }).click()

    const row = page.getByRole('row', { name: /Web site/ })
    await row.getByText('Active').waitFor()
    expect(await page.content()).not.toContain(key)

    const command = page.getByRole('group', { name: 'the command' })
    await command.filter({ hasText: '/v1/tts' }).waitFor()
    const script = (await command.textContent())!.replace('hello.mp3', '-')
    const env = { PATH: process.env.PATH, PARLANCE_API_KEY: key }
    expect((await run('bash', ['-c', script], { env, encoding: 'buffer' })).stdout.length).toBeGreaterThan(1_000)

    await row.getByRole('button', { name: 'Revoke Web site' }).click()
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await row.getByText('Revoked').waitFor()
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('row', { name: /Revoked an API key.*Web site.*The admin/ }).waitFor()
    const answer = await fetch(`${scene().url}/v1/voices`, { headers: { authorization: `Bearer ${key}` } })
    expect(answer.status).toBe(401)
  })

  test('a webhook is created with a secret, sent an event, replayed, rotated, disabled, enabled and deleted', async () => {
    const receiver = await startWebhookReceiver()
    const page = await scene().openAs('owner')
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await page.goto(`${scene().url}/webhooks`)
    await press('Create a webhook')
    const address = page.getByLabel('Address')
    await address.fill('https://10.0.0.1/hooks')
    await press('Create')
    await page.getByText('Choose at least one event.').waitFor()
    await page.getByRole('checkbox', { name: /An API key is revoked/ }).check()
    await press('Create')
    // What is refused is said at its field, which has the focus.
    await page.locator('[name=url][aria-invalid=true]:focus').waitFor()
    expect(await page.getByRole('dialog').locator('.mantine-Alert-root').count()).toBe(0)
    await address.fill(receiver.url)
    await press('Create')
    const secret = (await page.getByRole('group', { name: 'the secret' }).textContent())!
    expect(secret).toMatch(/^whsec_/)
    await press('Done')
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('link', { name: receiver.url }).click()
    await page.getByRole('heading', { name: 'No delivery yet' }).waitFor()

    const { auth } = scene().platform
    const { id: key_id } = await auth.createKey({ workspace_id: scene().workspaceId, label: 'Old' })
    await auth.revokeKey({ workspace_id: scene().workspaceId, key_id })
    await eventually(() => receiver.received.length > 0 || undefined)
    await page.reload()
    const row = page.getByRole('row', { name: /An API key is revoked/ })
    await row.getByText('Delivered').waitFor()
    await row.getByRole('button', { name: 'Replay api_key.revoked' }).click()
    await eventually(() => receiver.received.length > 1 || undefined)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toEqual([ids[0], ids[0]])
    await row.getByRole('button', { name: 'Attempts of api_key.revoked' }).click()
    await page.getByText(`webhook-id: ${ids[0]}`).waitFor()
    await page.keyboard.press('Escape')

    await press('Rotate the secret')
    await press('Make a new secret')
    expect(await page.getByRole('group', { name: 'the secret' }).textContent()).not.toBe(secret)
    await press('Done')
    await press('Disable')
    await press('Disable it')
    await page.getByRole('alert').filter({ hasText: 'is not receiving events' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await allFaultsOf(page)).toEqual([])
    await press('Enable it')
    await page.getByText('Active', { exact: true }).waitFor()
    await press('Delete')
    await press('Delete it')
    await page.getByRole('link', { name: receiver.url }).waitFor({ state: 'detached' })
    await page.getByRole('table', { name: 'Webhooks' }).waitFor()
    await receiver.stop()
  })

  test('an invited person joins by the link, gets another role, and is removed; all on a phone', async () => {
    const phone = { viewport: { width: 390, height: 844 } }
    const page = await scene().openApartAs('owner', phone)
    await page.goto(`${scene().url}/agents`)
    await page.getByRole('button', { name: 'Open the navigation' }).click()
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByLabel('E-mail').fill('grace@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    const link = (await page.getByRole('group', { name: 'the link' }).textContent())!
    await page.getByRole('button', { name: 'Done' }).click()

    const invited = await scene().open(phone)
    await invited.goto(link)
    await invited.getByLabel('Your name').fill('Grace')
    await invited.getByLabel('Password', { exact: true }).fill(password)
    await invited.getByRole('button', { name: 'Create the account and join' }).click()
    await invited.getByRole('heading', { name: 'Overview' }).waitFor()

    await page.reload()
    await page.getByLabel('Role of Grace').first().click()
    const changed = page.waitForResponse('**/organization/update-member-role')
    await page.getByRole('option', { name: 'Admin' }).click()
    expect((await changed).status()).toBe(200)
    await invited.goto(`${scene().url}/keys`)
    await invited.getByRole('heading', { name: 'API keys' }).waitFor()

    await page.getByRole('button', { name: 'Remove Grace' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Grace').first().waitFor({ state: 'detached' })
    await invited.goto(`${scene().url}/`)
    await invited.getByRole('heading', { name: 'You are not a member of any workspace' }).waitFor()
    for (const shown of [page, invited]) {
      expect(await shown.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
  })

  testMailedInvitations(scene)
  testDialogs(scene)
  testWorkspaceTabs(scene)
  testRefreshing(scene)

  test('Ctrl-K finds a page, an Agent and an action by a part of the name, and opens it with the keyboard alone', async () => {
    const page = await scene().openAs('member', '/')
    const found = (name: string) => page.getByRole('dialog').getByRole('button', { name })
    const find = async (text: string, name: string) => {
      await page.keyboard.press('Control+k')
      await page.getByPlaceholder('Find a page, an Agent or an action').fill(text)
      await found(name).waitFor()
    }
    await find('usage', 'Usage and credit')
    expect(await allFaultsOf(page)).toEqual([])
    expect(await found('API keys').count()).toBe(0)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/usage')
    await find('shown', 'Shown desk')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/agents/${things.agent}`)
    await page.getByRole('button', { name: 'Find' }).click()
    await page.getByPlaceholder('Find a page, an Agent or an action').fill('create an')
    await found('Create an Agent').click()
    await page.waitForURL('**/agents/new')
  })

  test('the reference of the API has the frame and the colors of the other pages, and no text of low contrast', async () => {
    const page = await scene().open()
    await page.goto(`${scene().url}/docs/api#/Agents/createAgent`)
    await page.getByText('No links').first().waitFor()
    for (const colorScheme of ['light', 'dark'] as const) expect(await lowContrastsOf(page, colorScheme)).toEqual([])
    expect(await page.evaluate('document.fonts.check(\'16px "Inter Variable"\')')).toBe(true)
    await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
    await page.waitForURL('**/sign-in?next=*')
  })

  test('the keyboard reaches the content first by a link that skips the navigation', async () => {
    const page = await scene().openAs('owner', '/keys')
    await page.getByRole('button', { name: 'Create a key' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Create a key')
  })
})
