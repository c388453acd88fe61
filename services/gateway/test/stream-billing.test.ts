import { once } from 'node:events'
import { ServiceError, type SynthesisRequest } from '@parlance/contracts'
import { testSeed } from '@parlance/testing'
import fc from 'fast-check'
import { voiceId } from './fake-services.js'
import { type OpenGateway, openGateway } from './open-gateway.js'
import { charactersPaid, chunksOf, spoken } from './spoken-words.js'
import { connectStream, type StreamClient } from './stream-client.js'

const seed = testSeed()
beforeAll(() => process.stdout.write(`stream billing: seed ${seed}\n`))

let gateway: OpenGateway
beforeEach(async () => {
  gateway = await openGateway()
})
afterEach(() => gateway.close())

/** Speaks a text with the given total of audio chunks over all of its requests, and then waits for its end. */
const speakOnly = (text: string, maxAudioChunks: number) => {
  let asked = 0
  return async function* (request: SynthesisRequest, { signal }: { signal: AbortSignal }) {
    const before = text.slice(0, asked).match(/\S+/g)?.length ?? 0
    asked += request.text.length
    for (const chunk of chunksOf(request)) {
      if (chunk.event === 'audio' && before + chunk.seq >= maxAudioChunks) {
        if (!signal.aborted) await once(signal, 'abort')
        return
      }
      yield chunk
    }
  }
}

/** A client that has sent the text and received the given number of audio chunks. */
const receive = async (text: string, audioChunks: number): Promise<StreamClient> => {
  gateway.fakes.synthesize = speakOnly(text, audioChunks)
  const client = connectStream(gateway.url, 'awtt_any')
  await client.next('ready')
  client.send({ event: 'start', voice_id: voiceId })
  await client.next('started')
  client.send({ event: 'text', text })
  client.send({ event: 'end' })
  if (audioChunks > 0) await client.next('audio', undefined, audioChunks - 1)
  return client
}

/**
 * Resolves when the gateway has closed this many connections. Until then it may still begin to speak for a disconnected
 * client.
 */
const closedByGateway = async (count: number): Promise<void> => {
  while (gateway.lines.filter(({ msg }) => msg === 'A stream closed').length < count) await new Promise(setImmediate)
}

/** The amount since the last call. */
const paid = async (): Promise<number> => {
  const characters = await charactersPaid(gateway.reserver)
  gateway.reserver.holds.length = 0
  return characters
}

const anyText = fc
  .array(fc.lorem({ mode: 'sentences', maxCount: 2 }), { minLength: 1, maxLength: 3 })
  .map((sentences) => sentences.join(' '))
const leaving = fc.constantFrom('cancel', 'cancel with played_ms', 'close', 'cut off')

test('a client that disconnects at any time pays for the audio that was sent: more for more audio, something once there was audio, and at most the text', async () => {
  let clients = 0
  await fc.assert(
    fc.asyncProperty(
      anyText,
      fc.array(fc.nat(1_000), { minLength: 2, maxLength: 4 }),
      leaving,
      async (text, at, how) => {
        // Audio that is more than ten seconds ahead is held back.
        const words = Math.min(80, text.split(/\s+/).length)
        const points = [...new Set(at.map((one) => one % words))].toSorted((one, other) => one - other)
        let before = 0
        for (const audioChunks of points) {
          const client = await receive(text, audioChunks)
          if (how === 'close') client.send({ event: 'close' })
          else if (how === 'cut off') client.socket.terminate()
          else {
            client.send({ event: 'cancel', ...(how === 'cancel with played_ms' && { played_ms: 0 }) })
            const { characters_billed, text_spoken, text_remaining } = await client.next('cancelled')
            expect(text_spoken + text_remaining).toBe(text)
            if (how === 'cancel with played_ms') expect(text_spoken).toBe('')
            expect(await charactersPaid(gateway.reserver)).toBe(characters_billed)
            await client.close()
          }
          await client.closed
          await closedByGateway(++clients)
          const characters = await paid()
          expect(characters).toBeGreaterThanOrEqual(Math.max(before, Math.min(audioChunks, 1)))
          expect(characters).toBeLessThanOrEqual(text.length)
          if (audioChunks === 0) expect(characters).toBe(0)
          before = characters
        }
      },
    ),
    { seed, numRuns: 12 },
  )
})

test('a client that cancels before the last word of a segment pays for the words that it received', async () => {
  const text = 'These six words are one segment'
  const client = await receive(text, 5)
  client.send({ event: 'cancel' })
  const { characters_billed } = await client.next('cancelled')
  expect(characters_billed).toBeGreaterThan(text.length / 4)
  expect(await paid()).toBe(characters_billed)
  client.socket.terminate()
})

test('a segment that fails costs nothing, and the ones before it are charged', async () => {
  gateway.fakes.synthesize = async function* (request) {
    for (const chunk of chunksOf(request)) {
      if (chunk.event === 'audio' && chunk.data.toString().startsWith('fails')) {
        throw new ServiceError('upstream_error', 'The engine ended.')
      }
      yield chunk
    }
  }
  const client = connectStream(gateway.url, 'awtt_any')
  await client.next('ready')
  client.send({ event: 'start', voice_id: voiceId })
  client.send({ event: 'text', text: 'This is spoken. Of this the last word fails, and no more is made.' })
  client.send({ event: 'end' })
  expect(await client.next('error')).toMatchObject({ code: 'upstream_error' })
  expect(client.audioOf().toString()).toContain('the last word')
  expect(await paid()).toBe('This is spoken.'.length)
  client.socket.terminate()
})

test('the reported bill is the charged amount, also for a text that ends with unspeakable characters', async () => {
  gateway.fakes.synthesize = (request) => spoken(request)
  const client = connectStream(gateway.url, 'awtt_any')
  await client.next('ready')
  client.send({ event: 'start', voice_id: voiceId })
  for (const text of ['Hello ', 'there. ', ' … ']) client.send({ event: 'text', text })
  client.send({ event: 'end' })
  const { characters_billed } = await client.next('done')
  expect(characters_billed).toBe('Hello there.  … '.length)
  expect(await paid()).toBe(characters_billed)
  client.socket.terminate()
})
