import type { Page } from 'playwright-core'
import type { DashboardScene } from './dashboard-scene.js'
import { dialogFaultsOf } from './dialog-reach.js'
import { eventually } from './eventually.js'
import { allFaultsOf } from './page-faults.js'
import { phone, reachFaultsOf, resize } from './page-reach.js'

/** The tests of the pages of Agents. They share the scene of the dashboard, which takes long to start. */
export const testAgentPages = (scene: () => DashboardScene): void => {
  /** Makes an Agent from a template on the page of templates, and resolves to its id, in the editor of the Agent. */
  const makeAgent = async (page: Page, template: string): Promise<string> => {
    await page.getByRole('button', { name: template }).click()
    await page.getByRole('tab', { name: 'General' }).waitFor()
    return new URL(page.url()).pathname.split('/')[2]!
  }

  /** The Agent as the API has it. */
  const readAgent = (page: Page, id: string) =>
    page.evaluate<{ display_name: string; description: string; api_ready: boolean; active_publication: unknown }>(`
      fetch('/dashboard/api/v1/agents/${id}', { headers: { 'x-parlance-workspace': '${scene().workspaceId}' } })
        .then((response) => response.json())`)

  const save = (page: Page) =>
    page.getByRole('region', { name: 'Unsaved changes' }).getByRole('button', { name: 'Save' })

  test('a Member makes an Agent from a template, fixes what the check finds, publishes it and rolls it back', async () => {
    const page = await scene().openAs('member', '/agents/new')
    const id = await makeAgent(page, 'Front desk')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.getByRole('dialog').getByText('This is the first publication').waitFor()
    await page.getByRole('dialog').getByText('it cannot use its prompt').waitFor()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('main').getByText('Published', { exact: true }).waitFor()
    expect(await readAgent(page, id)).toMatchObject({ api_ready: true, active_publication: { version: 1 } })

    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('Night desk')
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
    expect(await name.inputValue()).toBe('Night desk')

    await page.getByRole('tab', { name: 'Tools' }).click()
    await page.getByRole('button', { name: 'Add a client tool' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('open_page')
    const parameters = page.getByRole('textbox', { name: 'Parameters' })
    await parameters.fill('{ "type": "nonsense" }')
    await save(page).click()
    await page.getByText('The draft cannot be published yet').waitFor()
    expect(await allFaultsOf(page)).toEqual([])
    expect(await parameters.getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('tab', { name: 'Prompt' }).click()
    await page.getByRole('button', { name: 'Tools: Parameters' }).click()
    await page.getByText('Must be a JSON Schema, but').nth(1).waitFor()

    await parameters.fill('{ "type": "object" }')
    await page.getByRole('button', { name: 'Save and publish' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('del', { hasText: 'Front' }).first().waitFor()
    await dialog.locator('ins', { hasText: 'Night' }).first().waitFor()
    await dialog.getByText('Tool open_page').waitFor()
    expect(await allFaultsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Publish now' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await readAgent(page, id)).toMatchObject({ active_publication: { version: 2, revision: { version: 3 } } })

    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('button', { name: 'Roll back to publication 1' }).click()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('row', { name: /Publication 3.*Active.*Revision 1/ }).waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(await allFaultsOf(page)).toEqual([])
    expect(await readAgent(page, id)).toMatchObject({
      display_name: 'Night desk',
      active_publication: { version: 3, revision: { version: 1 } },
    })
  })

  test('a Member tries a tool before it is saved, and reads the result that the model would receive', async () => {
    const page = await scene().openAs('member', '/agents/new')
    await makeAgent(page, 'Front desk')
    await page.getByRole('tab', { name: 'Tools' }).click()
    await page.getByRole('button', { name: 'Add a webhook' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('find_order')
    await page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:1/orders')
    const number = { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] }
    await page.getByRole('textbox', { name: 'Parameters' }).fill(JSON.stringify(number))
    await page.getByRole('button', { name: 'Try it' }).click()
    const trial = page.getByRole('region', { name: 'Try the tool' })
    const tried = trial.getByRole('textbox', { name: 'Arguments to try' })
    expect(JSON.parse(await tried.inputValue())).toEqual({ number: 0 })
    await trial.getByRole('button', { name: 'Call the tool' }).click()
    await trial.getByText(/^The tool cannot be reached|^This tool is not available here/).waitFor()
    await tried.fill('{ "number": "seven" }')
    await trial.getByRole('button', { name: 'Call the tool' }).click()
    await trial.getByText('The tool was not called: arguments.number must be of the type integer.').waitFor()
    expect(await allFaultsOf(page)).toEqual([])
    await tried.fill('{')
    await trial.getByRole('button', { name: 'Call the tool', disabled: true }).waitFor()
    await page.keyboard.press('Tab')
    await trial.getByText('This is not JSON').waitFor()
    await page.getByRole('button', { name: 'Remove the tool' }).click()

    await page.getByRole('button', { name: 'Add a client tool' }).click()
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('This tool runs in the page of the user').waitFor()
  })

  test('a Member tries the calendar: times are checked without a change, and an appointment is made once it is confirmed', async () => {
    const page = await scene().openAs('member', '/agents/new')
    await makeAgent(page, 'Support')
    await page.getByRole('tab', { name: 'Tools' }).click()
    await page.getByRole('switch', { name: 'Calendar' }).check()
    await page.getByRole('button', { name: 'Try the calendar' }).click()
    const trial = page.getByRole('region', { name: 'Try the calendar' })
    const booking = trial.getByRole('region', { name: 'Book an appointment' })
    const list = trial.getByRole('region', { name: 'See what is on' })
    const answered = async (part: typeof list, text: RegExp) => {
      await part
        .getByRole('status')
        .getByText(/^(Succeeded|Failed) after/)
        .waitFor()
      await part.getByRole('region', { name: 'Result' }).getByText(text).waitFor()
    }
    const listed = async (text: RegExp) => {
      await list.getByRole('button', { name: 'List the events' }).click()
      await answered(list, text)
    }
    await listed(/^Nothing takes place on these days\.$/)
    await booking.getByLabel('Title').fill('Dentist')
    await booking.getByRole('button', { name: 'Check the time' }).click()
    await answered(booking, /^Nothing is changed yet.*New event "Dentist".*Nothing else takes place at that time/s)
    await booking.getByRole('button', { name: 'Book it…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Book a real appointment?' })
    await dialog.getByText('“Dentist” is put into your calendar').waitFor()
    expect(await allFaultsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await listed(/^Nothing takes place/)
    expect(await dialogFaultsOf(page, { button: 'Book it…' })).toEqual([])

    await booking.getByRole('button', { name: 'Book it…' }).click()
    await dialog.getByRole('button', { name: 'Book it' }).click()
    await dialog.waitFor({ state: 'detached' })
    await answered(booking, /^Done: New event "Dentist", .* 10:00 to 10:30\.$/)
    await listed(/^- "Dentist", .* 10:00 to 10:30 \(event_id/)
    await booking.getByRole('button', { name: 'Check the time' }).click()
    await answered(booking, /At the same time: "Dentist"/)

    await booking.getByLabel('Begins').fill('1999-01-01T10:00')
    await booking.getByRole('button', { name: 'Book it…' }).click()
    await dialog.getByRole('button', { name: 'Book it' }).click()
    await booking.getByText(/^Failed after/).waitFor()
    await list.getByLabel('From').fill('2030-01-02')
    await list.getByLabel('To').fill('2030-01-01')
    await listed(/^to: must not be before from$/)
    expect(await allFaultsOf(page)).toEqual([])
  })

  test('each section of an Agent is without a barrier, is reached with the keyboard, and fits a phone and a zoom of 200 %', async () => {
    const page = await scene().openAs('admin', '/agents/new')
    await makeAgent(page, 'Support')
    // The bar that saves changes stays above the end of each section.
    await page.getByRole('textbox', { name: 'Description' }).fill('Changed.')
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor()
    for (const section of await page.getByRole('tab').allTextContents()) {
      await page.getByRole('tab', { name: section }).click()
      await page.getByRole('tab', { name: section, selected: true }).waitFor()
      await page.waitForSelector('main [aria-label=Loading]', { state: 'detached' })
      expect([section, await allFaultsOf(page)]).toEqual([section, []])
      expect([section, await reachFaultsOf(page)]).toEqual([section, []])
    }
    await resize(page, phone)
    await page.reload()
    const { x, width } = (await page.getByRole('tab', { selected: true }).boundingBox())!
    expect([x >= 0, x + width <= phone.width]).toEqual([true, true])
  })

  test('a Member makes an Agent public, and copies a tag that needs no backend', async () => {
    const page = await scene().openAs('member', '/agents/new')
    const id = await makeAgent(page, 'Front desk')
    await page.getByRole('tab', { name: 'Integrate' }).click()
    const tag = page.getByRole('group', { name: 'the code for Tag' })
    await tag.getByText('token-url').waitFor()
    await page.getByRole('switch', { name: 'Visitors may talk' }).click()
    await save(page).click()
    await page.getByRole('button', { name: 'Integrate: Credit a day' }).waitFor()
    await page.locator('[data-path="session_config.public.origins"]').fill('https://shop.example.com')
    await page.getByRole('textbox', { name: 'Credit a day' }).fill('5')
    await page.getByRole('button', { name: 'Save and publish' }).click()
    await page.getByRole('button', { name: 'Publish now' }).click()
    await page.getByRole('main').getByText('Published', { exact: true }).waitFor()
    expect(await readAgent(page, id)).toMatchObject({
      session_config: { public: { enabled: true, origins: ['https://shop.example.com'], daily_credit: '5' } },
    })
    expect(await tag.innerText()).not.toContain('token-url')
    expect(await tag.innerText()).toContain(`agent-id="${id}"`)
    await page.close()
  })

  test('a person who saves after another one is warned, and keeps the changes of both', async () => {
    const [first, second] = [await scene().openAs('owner', '/agents/new'), await scene().openAs('admin')]
    const id = await makeAgent(first, 'Tutor')
    await second.goto(`${scene().url}/agents/${id}`)
    await second.getByRole('textbox', { name: 'Description' }).fill('Of the second person.')
    await first.getByRole('textbox', { name: 'Name' }).fill('Of the first person')
    await save(first).click()
    await save(first).waitFor({ state: 'detached' })
    await save(second).click()
    await second.getByText('Another person changed this Agent').waitFor()
    await second.getByRole('button', { name: 'Save my changes' }).click()
    await second.getByRole('heading', { name: 'Of the first person' }).waitFor()
    expect(await readAgent(second, id)).toMatchObject({
      display_name: 'Of the first person',
      description: 'Of the second person.',
    })
  })

  test('keys that are pressed again while a draft is saved send one request, and what is typed meanwhile is sent after it', async () => {
    const page = await scene().openAs('owner', '/agents/new')
    const id = await makeAgent(page, 'Tutor')
    const sent: object[] = []
    const waiting: (() => void)[] = []
    await page.route(`**/dashboard/api/v1/agents/${id}`, async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      sent.push(route.request().postDataJSON())
      if (sent.length === 1) await new Promise<void>((resolve) => waiting.push(resolve))
      return route.continue()
    })
    await page.getByRole('textbox', { name: 'Description' }).fill('First.')
    for (let pressed = 0; pressed < 3; pressed++) await page.keyboard.press('Control+s')
    await eventually(() => waiting.length > 0 || undefined)
    await page.getByRole('textbox', { name: 'Description' }).fill('Second.')
    await page.keyboard.press('Control+s')
    waiting[0]!()
    await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
    expect(sent).toEqual([{ description: 'First.' }, { description: 'Second.' }])
    expect(await page.getByText('Another person changed this Agent').count()).toBe(0)
    expect(await readAgent(page, id)).toMatchObject({ description: 'Second.' })
  })

  test('an Agent is made from a template although its slug and the next ones are taken', async () => {
    const page = await scene().openAs('owner', '/agents/new')
    const slugs: string[] = []
    const taken = { code: 'slug_taken', detail: 'Another Agent has this slug.', retryable: false }
    await page.route('**/dashboard/api/v1/agents', (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      slugs.push(route.request().postDataJSON().slug)
      return /^tutor(-\d)?$/.test(slugs.at(-1)!) ? route.fulfill({ status: 409, json: taken }) : route.continue()
    })
    await makeAgent(page, 'Tutor')
    expect(slugs).toEqual(['tutor', 'tutor-2', 'tutor-3', expect.stringMatching(/^tutor-[a-z0-9]{2,6}$/)])
  })

  test('settings of the recording that are not saved stay while another section is open, and leaving the page asks', async () => {
    const page = await scene().openAs('admin', '/agents/new')
    await makeAgent(page, 'Tutor')
    const section = (name: string | RegExp) => page.getByRole('tab', { name }).click()
    await section('Recording')
    await page.getByRole('switch', { name: 'Record conversations' }).check()
    await section('Prompt')
    await page.getByRole('tab', { name: 'Recording not saved' }).waitFor()
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
    await section(/^Recording/)
    expect(await page.getByRole('switch', { name: 'Record conversations' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Save recording' }).click()
    await page.getByText('Saved.').waitFor()
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('heading', { name: 'Members' }).waitFor()
  })

  test('many Agents are listed page by page, and found by a part of their names', async () => {
    const page = await scene().openAs('owner', '/agents')
    const headers = { 'x-parlance-workspace': scene().workspaceId, 'content-type': 'application/json' }
    const config = { voice_id: '5'.repeat(32), llm_provider: 'builtin', llm_model: 'rules' }
    await page.evaluate(`Promise.all(Array.from({ length: 51 }, (_, index) => fetch('/dashboard/api/v1/agents', {
      method: 'POST',
      headers: ${JSON.stringify(headers)},
      body: JSON.stringify({ ...${JSON.stringify(config)}, slug: 'guide-' + index, display_name: 'Guide ' + index }),
    })))`)
    await page.reload()
    const links = page.getByRole('table', { name: 'Agents' }).getByRole('link')
    await links.nth(49).waitFor()
    expect(await links.count()).toBe(50)
    await page.getByRole('button', { name: 'Show older Agents' }).click()
    await links.nth(50).waitFor()
    // With those of other tests, whose names may be the same.
    const guides = (await links.allTextContents()).filter((name) => /^Guide \d+$/.test(name))
    expect(new Set(guides).size).toBe(51)

    await page.getByRole('searchbox').fill('GUIDE 17')
    await page.getByRole('link', { name: 'Guide 17' }).and(links.first()).waitFor()
    expect(await links.allTextContents()).toEqual(['Guide 17'])
  })
}
