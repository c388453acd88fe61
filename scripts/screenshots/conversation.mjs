// The picture of a conversation: with an avatar and a transcript, in the dashboard of an installation of its own.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBrowser } from '@parlance/testing/browser'
import { startOllamaServer } from '@parlance/testing/stand-ins'
import { startEmpty } from '../stranger-test/installation.mjs'
import { writeMicrophone } from '../stranger-test/microphone.mjs'

const turns = [
  ['Are you open on Saturday?', 'Yes, from ten to four. The last tour begins at three.'],
  [
    'Can I bring my dog?',
    'Small dogs are welcome in the garden and in the café. In the galleries, only guide dogs are. Shall I book a tour for you?',
  ],
]

const createAgent = async ({ url, headers }) => {
  const send = async (path, body) => {
    const method = body === undefined ? 'GET' : 'POST'
    const response = await fetch(`${url}/v1${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
    return response.json()
  }
  const [voice] = (await send('/voices?language=en')).voices
  const [avatar] = (await send('/avatars')).avatars
  const agent = await send('/agents', {
    slug: 'museum-guide',
    display_name: 'Museum guide',
    avatar_id: avatar.id,
    voice_id: voice.id,
    voice_config: { tts_variant: voice.variants[0].id },
    llm_provider: 'openai_compatible',
    llm_model: 'qwen3:8b',
    first_message: 'Welcome to the museum! What would you like to know?',
  })
  await send(`/agents/${agent.id}/publish`, {})
}

const talk = async (page, { url, ownerLink }, file) => {
  await page.goto(ownerLink)
  await page.getByRole('heading', { name: 'Get started' }).waitFor()
  await page.goto(`${url}/playground/talk`)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  const transcript = page.getByRole('log', { name: 'Transcript' })
  await transcript.getByText('Welcome to the museum!').waitFor()
  for (const [question, reply] of turns) {
    await page.getByText('Listening', { exact: true }).first().waitFor()
    await page.getByLabel('Message').fill(question)
    await page.keyboard.press('Enter')
    await transcript.getByText(reply.slice(0, 20)).waitFor()
  }
  await page.locator('#stage canvas').waitFor()
  await takePicture(page, file)
}

/** Writes what the page shows, as PNG, or as WebP, which Playwright cannot write. */
export const takePicture = async (page, file) => {
  if (file.endsWith('.png')) return page.screenshot({ path: file })
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 90 })
  await writeFile(file, data, 'base64')
}

/** Starts an installation and a model server, talks, and writes the picture. */
export const takeConversation = async (file, viewport) => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-picture-'))
  // The embedded Postgres of an installation that runs as root is another user.
  await chmod(folder, 0o755)
  const replyTo = (messages) => turns.find(([question]) => question === messages.at(-1).content)?.[1] ?? 'Good.'
  const model = await startOllamaServer({ replyTo })
  let installation
  let browser
  try {
    installation = await startEmpty(folder, { LLM_COMPATIBLE_URL: `${model.url}/v1`, STT_PROVIDER: 'pocketsphinx' })
    await createAgent(installation)
    const silence = join(folder, 'silence.wav')
    await writeMicrophone(silence, installation, [120_000])
    browser = await launchBrowser(
      ...['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
      ...[
        `--use-file-for-fake-audio-capture=${silence}%noloop`,
        '--use-angle=swiftshader',
        '--enable-unsafe-swiftshader',
      ],
    )
    const page = await browser.newPage({ viewport, locale: 'en-US' })
    page.setDefaultTimeout(60_000)
    await talk(page, installation, file)
  } finally {
    await browser?.close()
    await installation?.stop()
    await model.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
