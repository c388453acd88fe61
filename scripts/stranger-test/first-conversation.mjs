// The way from `npm start` on an empty folder to a sensible conversation, in Chromium: Get started installs a neural voice and a
// recognizer, finds the model server on this machine, and makes an Agent, which answers four spoken questions about its prompt.
import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from '@parlance/testing/browser'
import { startOllamaServer } from '@parlance/testing/stand-ins'
import { check } from '../check.mjs'
import { downloadPackages, startMirror } from '../model-tests/packages.mjs'
import { listVoices, speak } from '../model-tests/speech-calls.mjs'
import { startEmpty } from './installation.mjs'

const installWithinMs = 300_000
const replyWithinMs = 60_000
const voiceModel = 'en_US-joe-medium'
const ollamaPort = 11_434

/** Facts that a person adds to the prompt of the template, and questions with the required content of the replies. */
const facts = '\n- Parking: free, behind the house.\n- Manager: Maria Lopez.'
const questions = [
  ['What are your opening hours?', 'nine to five'],
  ['What is your address?', '1 Example Street'],
  ['Do you have any parking?', 'behind the house'],
  ['What is the name of the manager?', 'Maria Lopez'],
]

/** Replies with the line of the prompt, such as "- Address: 1 Example Street.", whose topic the question names. */
const replyTo = (messages) => {
  const prompt = messages.find(({ role }) => role === 'system').content
  const asked = messages.findLast(({ role }) => role === 'user').content.toLowerCase()
  const lines = [...prompt.matchAll(/^- ([^:\n]+): (.+)$/gm)]
  const found = lines.find(([, topic]) =>
    topic
      .toLowerCase()
      .split(' ')
      .some((word) => asked.includes(word)),
  )
  return found === undefined ? 'I do not know that. Please ask again.' : `${found[1]}: ${found[2]}`
}

/** The server at Ollama's own port, where `npm start` looks; elsewhere when something else has the port. */
const startModelServer = async () => {
  const server = await startOllamaServer({ port: ollamaPort, replyTo }).catch(() => startOllamaServer({ replyTo }))
  const isAtUsualPort = server.url.endsWith(`:${ollamaPort}`)
  return { server, env: isAtUsualPort ? {} : { LLM_LOCAL_URLS: server.url } }
}

/** Counts clicks, and writes a picture after each step when there is a folder for it. */
const createVisitor = (page, recordFolder) => {
  const visitor = {
    clicks: 0,
    pictures: 0,
    async click(locator) {
      await locator.click()
      visitor.clicks++
    },
    press: (name) => visitor.click(page.getByRole('button', { name, exact: true })),
    async picture(name) {
      if (recordFolder === undefined) return
      const number = String(++visitor.pictures).padStart(2, '0')
      await page.screenshot({ path: join(recordFolder, `${number}-${name}.png`) })
    },
  }
  return visitor
}

const stepOf = (page, title) => page.getByRole('listitem', { name: title, exact: true })

const install = async (page, visitor, title) => {
  const step = stepOf(page, title)
  await visitor.click(step.getByRole('button', { name: 'Accept the license and install' }))
  await step.getByText('Done', { exact: true }).waitFor({ timeout: installWithinMs })
  await visitor.picture(title.toLowerCase().replaceAll(' ', '-'))
}

const ask = async (page, installation, voice, [question, expected]) => {
  const messages = page.getByRole('log', { name: 'Transcript' }).locator('p[dir]')
  const before = await messages.count()
  const wav = Buffer.from(await (await speak(installation, voice, question)).arrayBuffer())
  await page.evaluate(`microphone.say('${wav.toString('base64')}')`)
  const answer = messages.nth(before + 1)
  await answer.waitFor({ timeout: replyWithinMs })
  await answer.getByText(expected).waitFor({ timeout: replyWithinMs })
  const understood = await messages.nth(before).innerText()
  // The Agent speaks to its end, so that the next question does not interrupt it.
  await page.getByText('Listening').first().waitFor({ timeout: replyWithinMs })
  return `“${question}” was understood as “${understood.replace('You: ', '').replaceAll('\n', ' ')}”`
}

const walk = async (page, installation, recordFolder) => {
  const begunMs = performance.now()
  const visitor = createVisitor(page, recordFolder)
  await check('the link leads to Get started', async () => {
    await page.goto(installation.ownerLink)
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    await stepOf(page, 'A natural voice').waitFor()
    await visitor.picture('get-started')
  })
  await check('a neural voice is installed on one click', () => install(page, visitor, 'A natural voice'))
  await check('a recognizer is installed on one click', () => install(page, visitor, 'A recognizer'))
  await check('the model server on this machine is used on one click', async () => {
    await visitor.press('Use Ollama')
    await stepOf(page, 'A language model').getByText('Done', { exact: true }).waitFor()
    await visitor.picture('a-language-model')
  })
  await check('an Agent is made of a template, with facts of the person in its prompt', async () => {
    await visitor.click(page.getByRole('link', { name: 'Choose another template' }))
    await visitor.click(page.getByRole('button', { name: /^Front desk/ }))
    await page.getByRole('heading', { name: 'Front desk' }).waitFor()
    await visitor.click(page.getByRole('tab', { name: 'Prompt' }))
    const prompt = page.getByRole('textbox', { name: 'System prompt' })
    await prompt.fill((await prompt.inputValue()).replace('1 Example Street.', `1 Example Street.${facts}`))
    assert.equal(await page.getByText('cannot use its prompt').count(), 0, 'the Agent has no language model')
  })
  const voice = (await listVoices(installation, 'en')).find(({ variants }) =>
    variants.some(({ id }) => id === voiceModel),
  )
  await visitor.press('Talk with the draft')
  await visitor.press('Start')
  await page
    .getByRole('log', { name: 'Transcript' })
    .getByText('this is the front desk')
    .waitFor({ timeout: replyWithinMs })
  await page.getByText('Listening').first().waitFor({ timeout: replyWithinMs })
  for (const question of questions) {
    await check(`the Agent answers “${question[0]}” by its prompt`, () => ask(page, installation, voice, question))
    await visitor.picture('conversation')
  }
  await visitor.press('Hang up')
  await page.getByText(/^You hung up/).waitFor()
  await visitor.picture('after')
  const minutes = ((performance.now() - begunMs) / 60_000).toFixed(1)
  console.log(`✓ From the printed link to four right answers: ${visitor.clicks} clicks, ${minutes} minutes`)
}

/** Walks the way with real models, which a mirror on this machine serves. Pictures are written into `recordFolder`. */
export const testFirstConversation = async (folder, recordFolder) => {
  if (recordFolder !== undefined) await mkdir(recordFolder, { recursive: true })
  const mirror = await startMirror()
  const { server, env } = await startModelServer()
  let installation
  let browser
  try {
    await check('npm start on an empty folder prints a link', async () => {
      installation = await startEmpty(folder, { PARLANCE_MODELS_MIRROR: mirror.url, ...env })
    })
    // The start may have installed the packages of npm anew, beside which these are kept.
    await downloadPackages('requirements.txt')
    browser = await launchBrowser()
    const page = await browser.newPage({ viewport: { width: 1366, height: 650 }, locale: 'en-US' })
    page.setDefaultTimeout(60_000)
    await page.addInitScript({ path: fileURLToPath(new URL('../../tests/talk-microphone.js', import.meta.url)) })
    await walk(page, installation, recordFolder).catch(async (error) => {
      if (recordFolder !== undefined) await page.screenshot({ path: join(recordFolder, 'failure.png') })
      throw error
    })
  } finally {
    await browser?.close()
    await installation?.stop()
    await server.stop()
    mirror.close()
  }
}
