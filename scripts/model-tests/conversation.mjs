// A conversation in Chromium: an installed voice speaks as the user, the Agent answers with another voice, and a real recognizer
// transcribes the user. The judge recognizes what the browser received of the Agent.
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { withTimeout } from '@parlance/async'
import { launchBrowser } from '@parlance/testing/browser'
import { publishAgent } from '../../bench/harness/agent.mjs'
import { wordErrors, wordsOf } from '../../libs/testing/dist/index.js'
import { judgeName } from './judge.mjs'
import { speak, transcribe } from './speech-calls.mjs'

const pageScripts = ['../../tests/talk-microphone.js', '../../tests/talk-observer.js', 'conversation-page.js'].map(
  (name) => fileURLToPath(new URL(name, import.meta.url)),
)

const greeting = 'Welcome to the museum. How can I help you?'
/**
 * The recognizer understood each question in 25 readings of 25. A voice speaks a text differently each time, and "my coat
 * and my bag" was misunderstood in 24 of 25.
 */
const turns = [
  {
    question: 'Could you tell me whether the restaurant is open today?',
    reply: 'Yes, it is open until the evening.',
  },
  {
    question: 'Where can I leave my umbrella?',
    reply: 'You can leave it in the room beside the main door.',
  },
]

/** The maximum share of wrong words in all turns together. */
const maxWordsWrong = 0.15
const withinMs = 120_000
/** Longer than the Agent's pauses within a turn. */
const silentForMs = 1000

/** Replies as the language model to the question that the user's last message is most like. */
export const replyTo = (messages) => {
  const asked = messages.findLast(({ role }) => role === 'user').content
  return turns.toSorted((a, b) => wordErrors(a.question, asked) - wordErrors(b.question, asked))[0].reply
}

const openPage = async (browser, { url, headers }, agentId) => {
  const opened = await browser.newPage({ locale: 'en-US' })
  for (const path of pageScripts) await opened.addInitScript({ path })
  await opened.goto(`${url}/talk`)
  await opened.fill('#key', headers.authorization.slice('Bearer '.length))
  await opened.click('#use-key')
  await opened.waitForSelector('#start:enabled')
  await opened.selectOption('#agent', agentId)
  await opened.selectOption('#mode', 'automatic')
  return opened
}

/** Resolves to the final texts of the user and of the Agent, and to what the browser received of the Agent. */
const hold = async (platform, opened, userVoice) => {
  /** Resolves when the Agent has spoken after `afterMs`, and the browser has played it. */
  const agentHasSpoken = async (afterMs) => {
    const event = await opened.evaluate(`Promise.race([
      observed.event({ event: 'transcript', role: 'agent', final: true }, ${afterMs}), observed.event({ event: 'error' })])`)
    assert.equal(event.event, 'transcript', event.detail)
    await opened.evaluate(`observed.silence(${event.atMs}, ${silentForMs})`)
  }
  await opened.click('#start')
  await agentHasSpoken(0)
  for (const { question } of turns) {
    const wav = Buffer.from(await (await speak(platform, userVoice, question)).arrayBuffer())
    await agentHasSpoken(await opened.evaluate(`microphone.say('${wav.toString('base64')}')`))
  }
  const recording = Buffer.from(await opened.evaluate('conversation.recording()'), 'base64')
  const finals = await opened.evaluate(
    "observed.events.filter(({ event, final, text }) => event === 'transcript' && final && text !== '')",
  )
  await opened.click('#hang-up')
  const textsOf = (role) => finals.filter((message) => message.role === role).map(({ text }) => text)
  const received = await transcribe(platform, judgeName, new Blob([recording]), 'agent.webm')
  return { user: textsOf('user'), agent: textsOf('agent'), received }
}

const checkWords = (who, spoken, recognized) => {
  const wrong = wordErrors(spoken, recognized)
  const words = wordsOf(spoken).length
  const share = `${wrong} of ${words} words of ${who} wrong`
  assert.ok(wrong <= maxWordsWrong * words, `${share}: ${recognized}`)
  return share
}

/**
 * Rejects with an `AssertionError` unless both sides of a conversation are understood. The platform has the judge, and
 * `replyTo` as its language model. Resolves to what was understood.
 */
export const testConversation = async (platform, { userVoice, agentVoice }) => {
  const browser = await launchBrowser()
  try {
    const target = { url: platform.url, authorization: platform.headers.authorization }
    const agentId = await publishAgent(target, {
      slug: `museum-${agentVoice.id.slice(0, 8)}`,
      display_name: agentVoice.display_name,
      voice_id: agentVoice.id,
      voice_config: { tts_variant: agentVoice.variants[0].id },
      stt_config: { language: 'en-US' },
      llm_provider: 'openai_compatible',
      llm_model: 'stand-in',
      first_message: greeting,
    })
    const opened = await openPage(browser, platform, agentId)
    const late = () => {
      throw new Error(`the conversation was not over within ${withinMs / 1000} s`)
    }
    const { user, agent: replies, received } = await withTimeout(hold(platform, opened, userVoice), withinMs, late)
    const expected = [greeting, ...turns.map(({ reply }) => reply)]
    assert.deepEqual(replies, expected)
    const questions = turns.map(({ question }) => question).join(' ')
    const ofUser = checkWords('the user', questions, user.join(' '))
    return `${ofUser}, ${checkWords('the Agent', expected.join(' '), received)}`
  } finally {
    await browser.close()
  }
}
