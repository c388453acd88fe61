import type { Voice } from '@parlance/contracts'
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
})
