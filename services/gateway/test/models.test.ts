import OpenAI from 'openai'
import { keys, voiceId } from './fake-services.js'
import { offeredPage } from './offered-page.js'
import { type OpenGateway, openGateway } from './open-gateway.js'

let gateway: OpenGateway
let openai: OpenAI
beforeEach(async () => {
  gateway = await openGateway()
  gateway.fakes.voices = offeredPage
  openai = new OpenAI({ apiKey: keys.good, baseURL: `${gateway.url}/v1`, maxRetries: 0 })
})
afterEach(() => gateway.close())

const own = ['tts-1', 'tts-1-hd', 'gpt-4o-mini-tts', 'whisper-1', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe']

test("OpenAI's own client lists OpenAI's names, the variants of voices and the recognizers, each once", async () => {
  const { data } = await openai.models.list()
  expect(data.map(({ id }) => id)).toEqual([
    ...own,
    'standard',
    'expensive',
    'sherpa-onnx/whisper-tiny',
    'pocketsphinx',
  ])
  expect(data.at(-1)).toEqual({ id: 'pocketsphinx', object: 'model', created: 0, owned_by: 'parlance' })
  expect(data.find(({ id }) => id === 'standard')!.created).toBe(Date.UTC(2026, 0, 31, 9, 30) / 1000)
})

test("OpenAI's names are listed only for what is installed", async () => {
  gateway.transcription.recognizers = []
  const ids = (await openai.models.list()).data.map(({ id }) => id)
  expect(ids).toContain('tts-1')
  expect(ids).not.toContain('whisper-1')
})

test('Open WebUI lists the voices by id and name, in the order of the catalog', async () => {
  const response = await gateway.get('/v1/audio/voices')
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    voices: [
      { id: voiceId, name: 'Ada' },
      { id: voiceId, name: 'Bob' },
    ],
  })
  expect((await fetch(`${gateway.url}/v1/audio/voices`)).status).toBe(401)
})

test.each(['whisper-1', 'standard', 'sherpa-onnx/whisper-tiny'])('the model %s is read by its id', async (id) => {
  expect(await openai.models.retrieve(id)).toMatchObject({ id, object: 'model' })
})
