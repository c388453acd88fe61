/**
 * Conversations with an Agent on the page that /talk leads to: speech as the microphone, real recognition, a stand-in for the
 * language model and real speech, whose loudness is measured in the page.
 */
import type { ReceivedRequest } from '@parlance/testing/stand-ins'
import { shareRecognized } from './share-recognized.js'
import { describeTalkPage, greeting } from './talk-page.js'

const story =
  'Once upon a time there was a small shop at the corner of a long street. Every morning its owner swept the floor, opened ' +
  'the door, and waited for the first guest of the day. Most days that was the baker, who came for his newspaper.'

/** An estimate: the voice speaks about fifteen letters a second. */
const msPerLetter = 60

describeTalkPage('a conversation in a browser', 'played', ({ model, open }) => {
  test('is transcribed, answered in speech, interrupted, and recorded as it was played', async () => {
    const question = 'Please tell me a very long story.'
    const interruption = 'Please stop, and tell me the time.'
    // The recognizer may miss any word, so the reply depends on what was said before.
    const isFirst = ({ body }: ReceivedRequest) => !JSON.stringify(body.messages).includes('"assistant"')
    model().script((_, request) => ({ text: isFirst(request) ? story : 'It is noon.', tokenMs: 15 }))
    const { ask, event, finals, hangUp, say, start, page } = await open({ first_message: null })
    await start('automatic')
    await say(question)

    const asked = await event('transcript', { role: 'user', final: true })
    expect(shareRecognized(question, asked.text)).toBeGreaterThanOrEqual(0.5)
    const thinking = await event('agent.state', { state: 'thinking' })
    const firstSoundMs = await ask<number>(`observed.firstSound(${thinking.atMs})`)
    expect(await ask<number>(`observed.loudest(0, ${thinking.atMs})`)).toBeLessThan(0.01)
    expect(firstSoundMs).toBeGreaterThan(thinking.atMs)

    await say(2_000, interruption)
    const { id: interruptedId, text_heard, atMs } = await event('interruption')
    // Audio in the browser's jitter buffer is still played; the rest of the story is not.
    const silentMs = await ask<number>(`observed.silence(${atMs}, 300)`)
    expect(story.startsWith(text_heard.trim())).toBe(true)
    const restMs = (story.length - text_heard.length) * msPerLetter
    expect(restMs).toBeGreaterThan(0)
    expect(silentMs - atMs).toBeLessThan(restMs / 3)

    const again = await event('transcript', { role: 'user', final: true }, atMs)
    expect(shareRecognized(interruption, again.text)).toBeGreaterThanOrEqual(0.5)
    await event('transcript', { role: 'agent', final: true, text: 'It is noon.' })
    const metrics = await event('metrics', {}, atMs)
    expect(metrics.voice_to_voice_ms).toBeGreaterThan(0)
    await page.getByText('Timings of the turns').click()
    const timings = await page
      .getByRole('group', { name: /^Timings of the turn: / })
      .last()
      .textContent()
    expect(timings).toMatch(/End of turn [\d.]+ m?s.*Recognition [\d.]+ m?s.*[\d.]+ m?s in all/)

    const record = await hangUp()
    expect(record.transcript.map(({ id, role, text, interrupted }) => ({ id, role, text, interrupted }))).toEqual(
      (await finals()).map(({ id, role, text, interrupted = false }) => ({ id, role, text, interrupted })),
    )
    expect(record.transcript.find(({ id }) => id === interruptedId)).toMatchObject({
      text: text_heard,
      interrupted: true,
    })
    expect(record).toMatchObject({ status: 'ended', end_reason: 'user_disconnected', transport: 'webrtc', error: null })
    expect(record.usage.stt_seconds).toBeGreaterThan(2)
    expect(record.usage.tts_characters).toBeGreaterThan(0)
    expect(Number(record.credit_used)).toBeGreaterThan(0)
    expect(record.latency?.voice_to_voice_ms.p50).toBeGreaterThan(0)
    expect(await ask<boolean>('observed.microphones.every(({ readyState }) => readyState === "ended")')).toBe(true)
  })

  test('with push-to-talk is transcribed only while the button is held', async () => {
    const question = 'Please tell me the time.'
    model().script({ text: 'It is nine.' })
    const { event, finals, hangUp, page, say, start } = await open()
    await start('push-to-talk')
    await event('transcript', { role: 'agent', final: true, text: greeting })
    await say('Nothing of this is transcribed.', 1_000)
    expect((await finals()).filter(({ role }) => role === 'user')).toEqual([])
    await page.hover('#hold')
    await page.mouse.down()
    await say(question)
    await page.mouse.up()
    const asked = await event('transcript', { role: 'user', final: true })
    expect(shareRecognized(question, asked.text)).toBeGreaterThanOrEqual(0.5)
    await event('transcript', { role: 'agent', final: true, text: 'It is nine.' })
    expect(model().lastPrompt().messages.at(-1)).toEqual({ role: 'user', text: asked.text })
    expect(await hangUp()).toMatchObject({ input_mode: 'push-to-talk', status: 'ended' })
  })

  test('that is typed never requests the microphone, and is answered in speech', async () => {
    model().script({ text: 'We have two rooms left.' })
    const { ask, event, hangUp, page, start, text } = await open()
    await start('text')
    await event('transcript', { role: 'agent', final: true, text: greeting })
    await page.fill('[aria-label=Message]', 'Do you have a room?')
    await page.press('[aria-label=Message]', 'Enter')
    const { atMs } = await event('transcript', { role: 'user', final: true, text: 'Do you have a room?' })
    expect(await ask<number>(`observed.firstSound(${atMs})`)).toBeGreaterThan(atMs)
    await event('transcript', { role: 'agent', final: true, text: 'We have two rooms left.' })
    expect(model().lastPrompt().system).toContain('You are the front desk.')
    expect(model().lastPrompt().messages.slice(-2)).toEqual([
      { role: 'assistant', text: greeting },
      { role: 'user', text: 'Do you have a room?' },
    ])
    expect(await ask<unknown[]>('observed.microphones')).toEqual([])
    expect(await text('#transcript')).toBe(`Agent: ${greeting}You: Do you have a room?Agent: We have two rooms left.`)
    const record = await hangUp()
    expect(record.transcript.map(({ text }) => text)).toEqual([
      greeting,
      'Do you have a room?',
      'We have two rooms left.',
    ])
  })
})
