import type { DashboardScene } from './dashboard-scene.js'
import { allFaultsOf } from './page-faults.js'
import { recordConversation } from './recorded-conversation.js'

const notes = Buffer.from('# Alarms\n\nThe membrane must be replaced when the pump shows alarm E42.\n')

/** Files that an Agent answers from: added on the page of an Agent, named on the page of a conversation. */
export const testKnowledgePages = (scene: () => DashboardScene): void => {
  test('a Member adds a file to an Agent, which answers from it, and finds its passage with the reply', async () => {
    const { platform, workspaceId, url } = scene()
    const page = await scene().openAs('member')
    let knowledgePage = ''
    const { sessionId, reply } = await recordConversation(platform, workspaceId, {
      ...{ agent: 'Pump desk', text: 'What must be done about alarm E42?', label: 'Pump' },
      async beforeTalk(agentId) {
        knowledgePage = `${url}/agents/${agentId}?section=knowledge`
        await page.goto(knowledgePage)
        await page.getByText('No files yet').waitFor()
        const add = async (file: { name: string; mimeType: string; buffer: Buffer }) => {
          const chooser = page.waitForEvent('filechooser')
          await page.getByRole('button', { name: 'Add files' }).click()
          await (await chooser).setFiles(file)
        }
        await add({ name: 'letter.docx', mimeType: 'application/zip', buffer: Buffer.from('PK') })
        await page.getByRole('alert').getByText('must be a PDF').waitFor()
        await add({ name: 'alarms.md', mimeType: 'text/markdown', buffer: notes })
        await page.getByRole('row', { name: /^alarms\.md Ready/ }).waitFor()
        expect(await allFaultsOf(page)).toEqual([])
        // The draft has changed with the file, and is published without a conflict.
        await page.getByRole('button', { name: 'Publish', exact: true }).click()
        await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      },
    })

    expect(reply).toBe('The membrane must be replaced when the pump shows alarm E42.')
    await page.goto(`${url}/conversations/${sessionId}`)
    await page.getByText('alarms.md').click()
    const passage = page.getByRole('list', { name: 'Sources' }).getByText('# Alarms')
    await passage.waitFor()
    expect(await passage.textContent()).toBe('# Alarms\nThe membrane must be replaced when the pump shows alarm E42.')
    expect(await allFaultsOf(page)).toEqual([])

    await page.goto(knowledgePage)
    await page.getByRole('button', { name: 'Delete alarms.md' }).click()
    await page.getByRole('button', { name: 'Delete it' }).click()
    await page.getByText('No files yet').waitFor()
  })
}
