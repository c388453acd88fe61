import type { DashboardScene } from './dashboard-scene.js'
import { allFaultsOf } from './page-faults.js'

const email = 'mailed@example.com'

/** Invitations where mails are sent. The platform of the scene does not send mails, so its answer about that is replaced. */
export const testMailedInvitations = (scene: () => DashboardScene): void => {
  test('where invitations are mailed, the person who invites sees no link, neither in the dialog nor in the table', async () => {
    const page = await scene().openAs('admin')
    const answer = { providers: [], passkeys: false, sends_mail: true }
    await page.route('**/dashboard/api/identity-providers', (route) => route.fulfill({ json: answer }))
    await page.goto(`${scene().url}/members`)
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog')
    await page.getByLabel('E-mail').fill(email)
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await dialog.getByText(`A mail with a link is on its way to ${email}.`).waitFor()
    expect(await dialog.textContent()).not.toContain('/invitation?')
    expect(await page.locator(':focus').textContent()).toBe('Done')
    expect(await allFaultsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const row = page.getByRole('row', { name: email })
    expect(await row.getByRole('button').allTextContents()).toEqual(['Withdraw'])

    await page.unroute('**/dashboard/api/identity-providers')
    await page.reload()
    await row.getByRole('button', { name: `Copy the link for ${email}` }).waitFor()
    await row.getByRole('button', { name: `Withdraw the invitation of ${email}` }).click()
    await row.waitFor({ state: 'detached' })
  })
}
