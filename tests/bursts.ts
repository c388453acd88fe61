import { setTimeout as delay } from 'node:timers/promises'
import { connectStream } from '../services/gateway/test/stream-client.js'
import type { Api } from './api.js'

const attemptsForMs = 60_000

/**
 * The outcomes of a burst, repeated while they are not as expected: a machine that is busy with other work may need longer
 * for all of it than a request may wait.
 */
export const outcomesOf = async <Outcome>(burst: () => Promise<Outcome[]>, expected: Outcome): Promise<Outcome[]> => {
  const endsAtMs = performance.now() + attemptsForMs
  for (;;) {
    const outcomes = await burst()
    if (performance.now() > endsAtMs || outcomes.every((outcome) => outcome === expected)) return outcomes
    await delay(2_000)
  }
}

let sentences = 0
/** The texts differ, so none comes from the cache. */
const sentence = (): string => `This is sentence number ${++sentences} of all that came at once.`

/** Speaks so many texts of one sentence at once. Resolves to the status or the error code of each. */
export const speakAtOnce = (api: Api, voiceId: string, count: number): Promise<(number | string)[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const { status, headers, body } = await api.post('/v1/tts', { text: sentence(), voice_id: voiceId })
      if (status !== 200) return body.code
      expect(headers.get('server-timing')).toMatch(/^queue;dur=[\d.]+, ttfa;dur=[\d.]+$/)
      return status
    }),
  )

/** Speaks one sentence on each of so many sockets at once. Resolves to `done` or the error code of each. */
export const streamAtOnce = (api: Api, url: string, voiceId: string, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const { body } = await api.post('/v1/tts/stream-tokens', {})
      const client = connectStream(url, body.token)
      await client.next('ready')
      client.send({ event: 'start', voice_id: voiceId })
      client.send({ event: 'text', text: sentence() })
      client.send({ event: 'end' })
      const last = await client.find(() => client.messages.find(({ event }) => event === 'done' || event === 'error'))
      await client.close()
      return last.event === 'error' ? last.code : last.event
    }),
  )
