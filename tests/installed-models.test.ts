import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, startStandalone, writeToneModel } from '@parlance/testing'
import { type Api, createApi } from './api.js'
import { eventually } from './eventually.js'
import { ask, newFolder, type Place } from './operator-command.js'

const sentence = 'Hello world, one two three.'
const spokenMs = 1000

let place: Place
let running: ReturnType<typeof startStandalone>
let api: Api

beforeAll(async () => {
  place = { folder: await newFolder() }
  running = startStandalone(place.folder, await freePort(), { STT_PROVIDER: 'none' })
  const { url, headers } = await running.serving
  api = createApi(url, headers.authorization)
})
afterAll(async () => {
  await running.stop()
  await rm(place.folder, { recursive: true, force: true })
})

const tonesVoice = async () => {
  const { body } = await api.get('/v1/voices?language=en')
  return body.voices?.find(({ display_name }: { display_name: string }) => display_name === 'Tones')
}
const speak = (voice_id: string) =>
  api.post('/v1/tts', { text: sentence, voice_id, output: { format: 'pcm_s16le', sample_rate: 16_000 } })

test('a model that is imported beside npm start speaks at once, before other voices, and no longer once it is removed', async () => {
  const before = await api.voice()
  await writeToneModel(join(place.folder, 'tones'))
  let isOver = false
  /** The best voice of before speaks all the time. */
  const speakOn = async () => {
    for (let spoken = 0; ; spoken++) {
      if (isOver) return spoken
      const { status, body } = await speak(before.id)
      expect(status).toBe(200)
      expect(body.length / 32).toBeGreaterThan(spokenMs)
    }
  }
  const speaking = Promise.all([speakOn(), speakOn()])
  await ask(place, 'models', 'import', join(place.folder, 'tones'))
  const voice = await eventually(tonesVoice)
  expect((await api.voice()).id).toBe(voice.id)
  const whole = await speak(voice.id)
  expect(whole.status).toBe(200)

  const last = Promise.all([speak(voice.id), speak(voice.id)])
  await ask(place, 'models', 'remove', 'tones')
  for (const { status, body } of await last) {
    expect(status).toBe(200)
    expect(body.length).toBe(whole.body.length)
  }
  await eventually(async () => (await tonesVoice()) === undefined || undefined)
  isOver = true
  for (const spoken of await speaking) expect(spoken).toBeGreaterThan(0)
})

test('a folder that is copied in by hand speaks too', async () => {
  await writeToneModel(join(place.folder, 'others'), { speakers: 2 })
  await rename(join(place.folder, 'others'), join(place.folder, '.parlance/models/others'))
  await eventually(async () => {
    const { body } = await api.get('/v1/voices?language=en')
    return (
      body.voices.filter(({ variants }: { variants: { id: string }[] }) => variants[0]?.id === 'others').length === 2 ||
      undefined
    )
  })
})
