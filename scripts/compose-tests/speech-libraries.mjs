// Runs in a container of the image, beside the installation at PARLANCE_URL. Makes a workspace, lets each speech library of the
// image speak, and lets pocketsphinx transcribe it; then suspends the workspace. Ends with 0 when libespeak-ng is used and not
// WebAssembly, each voice speaks, and at least half of the words of the flite voices are recognized.
import assert from 'node:assert/strict'
import { pathToFileURL } from 'node:url'
import { listVoices, speak, transcribe } from '../model-tests/speech-calls.mjs'
import { home, inWorkspace } from './workspace.mjs'

const sentence = 'The train to the city leaves in half an hour.'

const wordsOf = (text) => text.toLowerCase().match(/[a-z]+/g) ?? []

const testNativeEspeak = async () => {
  const { openSynthesizer } = await import(pathToFileURL(`${home}/engines/espeak-ng/dist/index.js`).href)
  // Rejects where the library is missing.
  const { version } = await openSynthesizer({ implementation: 'native' })
  console.log(`libespeak-ng ${version}`)
}

const testVoices = async (platform) => {
  const voices = await listVoices(platform, 'en')
  const ofVariant = (variant) => voices.filter(({ variants }) => variants.some(({ id }) => id === variant))
  const [espeak] = ofVariant('standard')
  const flite = ofVariant('flite')
  assert.ok(espeak, 'a voice of eSpeak NG is listed')
  assert.ok(flite.length > 0, 'voices of flite are listed')
  const words = wordsOf(sentence)
  let count = 0
  for (const voice of [espeak, ...flite]) {
    const wav = await speak(platform, voice, sentence)
    assert.ok(wav.size > 32_000, `${voice.display_name} speaks for a second`)
    if (voice === espeak) continue
    const text = await transcribe(platform, 'pocketsphinx', wav)
    const recognized = new Set(wordsOf(text))
    count += words.filter((word) => recognized.has(word)).length
    console.log(`${voice.display_name} (flite): pocketsphinx recognized "${text}"`)
  }
  // One of the voices may be hard to understand for pocketsphinx.
  const spoken = words.length * flite.length
  assert.ok(count >= spoken / 2, `pocketsphinx recognized ${count} of ${spoken} words`)
}

await testNativeEspeak()
await inWorkspace('speech libraries', testVoices)
