import type { Voice } from '@parlance/contracts'
import { connectStream } from '../services/gateway/test/stream-client.js'
import { type Api, createApi } from './api.js'
import { outcomesOf, speakAtOnce, streamAtOnce } from './bursts.js'
import { describePlatforms, newKey } from './platforms.js'

describePlatforms('many at once', (platform) => {
  let api: Api
  let voice: Voice

  beforeAll(async () => {
    api = createApi(platform().urls[0], (await newKey(platform())).authorization)
    voice = await api.voice()
  }, 60_000)

  test('twenty texts of one sentence are all spoken, also by a platform that has just started', async () => {
    expect(await outcomesOf(() => speakAtOnce(api, voice.id, 20), 200)).toEqual(Array(20).fill(200))
  }, 120_000)

  test('thirty sockets that speak a sentence each are all served', async () => {
    const burst = () => streamAtOnce(api, platform().urls[0], voice.id, 30)
    expect(await outcomesOf(burst, 'done')).toEqual(Array(30).fill('done'))
  }, 120_000)

  test('of twenty connections with one token exactly one is accepted', async () => {
    const { urls } = platform()
    const { body } = await api.post('/v1/tts/stream-tokens', {})
    const racers = Array.from({ length: 20 }, (_, n) => connectStream(urls[n % urls.length]!, body.token))
    const outcomes = await Promise.all(
      racers.map(async (client) => {
        const first = await client.find(() => client.messages[0])
        return first.event === 'error' ? first.code : first.event
      }),
    )
    await Promise.all(racers.map((client) => client.close()))
    expect(outcomes.filter((outcome) => outcome === 'ready')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'stream_token_invalid')).toHaveLength(19)
  }, 30_000)
})
