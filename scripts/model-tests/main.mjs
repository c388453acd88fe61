// `npm run test:models`: tests real models, which are in packages of the Python registry.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startModelStandIns } from '../../bench/harness/model-stand-ins.mjs'
import { optionsOrExit } from '../options.mjs'
import { modelsOf } from './command-line.mjs'
import { replyTo, testConversation } from './conversation.mjs'
import { installDocumented } from './documents.mjs'
import { startWithModels } from './installation.mjs'
import { environmentOf, installJudge, judgeName, startJudge } from './judge.mjs'
import { testKokoro } from './kokoro.mjs'
import { measureVoice, shareOf } from './measure-words.mjs'
import { downloadPackages, registryFailure } from './packages.mjs'
import { testPauses } from './pauses.mjs'
import { testTurns } from './turns.mjs'

const voice = 'en_US-joe-medium'
const turnModel = 'smart-turn-v3.2'
const recognizer = 'moonshine-base-en'
/** The voice of flite that talks with it. */
const secondVoice = 'Nell'
/** The maximum share of wrong words of a clear voice. Up to two of 93 were wrong when this was written. */
const maxWordsWrong = 0.1

const say = (line) => process.stdout.write(`${line}\n`)

/** Loads the models of a folder and lets them speak; a model that does not is an error. */
const verify = async (modelsDir, expectedLicense) => {
  const models = await modelsOf('verify', modelsDir)
  assert.equal(models.length, 1)
  const [model] = models
  assert.deepEqual(
    { name: model.name, kind: model.kind, license: model.license, problems: model.problems },
    { name: voice, kind: 'tts', license: expectedLicense, problems: [] },
  )
  assert.ok(model.audio_ms > 500, `${voice} spoke for ${model.audio_ms} ms`)
  return model
}

const testVoice = async (folder, installed) => {
  const [voiceDir, importedDir] = installed.get(voice)
  const [listed] = await modelsOf('list', voiceDir)
  assert.ok(listed.times_real_time > 0 && listed.threads >= 1, 'the speed of the model was not recorded')
  const { times_real_time, threads, memory_mb } = await verify(voiceDir, 'CC0')
  const pace = `${times_real_time} times as fast as real time (threads: ${threads})`
  say(`${voice} was installed and speaks ${pace}, in ${memory_mb} MB.`)
  say(`${voice}: ${await testPauses(voiceDir, folder)}.`)
  const [turnModelDir] = installed.get(turnModel)
  const answers = await testTurns({ voice, voiceDir, turnModelDir, folder })
  say(`${turnModel} was installed and takes for complete: ${answers}.`)
  await verify(importedDir, 'CC0')
  say(`${voice} was imported and speaks.`)
}

/** The real recognizer and the judge understand the real voice, through the whole platform. */
const testWords = async (platform, speaker, recognizers) => {
  const results = await measureVoice(platform, speaker, recognizers)
  for (const [name, result] of results) {
    const share = `${result.wrong} of ${result.words} words wrong`
    assert.ok(shareOf(result) <= maxWordsWrong, `${name} got ${share} of ${voice}: ${result.texts.join(' ')}`)
    say(`${name} got ${share} that ${voice} spoke.`)
  }
}

const testConversations = async (platform, neural, isBothWays) => {
  const recorded = platform.voices.find(
    ({ display_name, variants }) => variants[0].id === 'flite' && display_name === secondVoice,
  )
  assert.ok(recorded, `there is no voice ${secondVoice}: install flite`)
  const pairs = [[neural, recorded], ...(isBothWays ? [[recorded, neural]] : [])]
  for (const [userVoice, agentVoice] of pairs) {
    const outcome = await testConversation(platform, { userVoice, agentVoice })
    say(`${userVoice.display_name} talked with ${agentVoice.display_name} in a browser: ${outcome}.`)
  }
}

const testUnderstanding = async (folder, installed, isBothWays) => {
  const [modelsDir, ...others] = installed.get(`${voice} ${recognizer}`)
  assert.equal(others.length, 1, '`setup` and the other commands of docs/start.md do not install the same models')
  const judge = await startJudge(folder)
  const languageModel = await startModelStandIns({ transcript: '', replyTo })
  const recognizers = [`sherpa-onnx/${recognizer}`, judgeName]
  try {
    const platform = await startWithModels({
      folder: await mkdtemp(join(folder, 'platform-')),
      modelsDir,
      variants: [voice],
      recognizers,
      env: { ...environmentOf(judge), LLM_COMPATIBLE_URL: languageModel.url },
    })
    try {
      const speaker = platform.voices.find(({ variants }) => variants[0].id === voice)
      await testWords(platform, speaker, recognizers)
      await testConversations(platform, speaker, isBothWays)
    } finally {
      await platform.stop()
    }
  } finally {
    await Promise.all([judge.stop(), languageModel.stop()])
  }
}

const testAll = async (isWhole) => {
  const folder = await mkdtemp(join(tmpdir(), 'parlance-model-tests-'))
  try {
    await Promise.all([downloadPackages('requirements.txt'), installJudge()])
    const installed = await installDocumented(folder)
    await testVoice(folder, installed)
    await testUnderstanding(folder, installed, isWhole)
    if (isWhole) say(`Kokoro was imported: ${await testKokoro(folder)}.`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const usage = `npm run test:models -- [options]: installs a real voice by the commands of the documentation and lets it speak, a real recognizer
that transcribes it, and a real model that judges the end of what it says; has a Whisper that is no part of Parlance judge the
words; and holds a conversation in a browser

  --all       adds what takes minutes: a slow model, and a conversation the other way round
  -h, --help  prints this

All models are in packages of the Python registry. When the registry does not answer, it prints that nothing was tested.`

const options = optionsOrExit(usage, { options: { all: { type: 'boolean', default: false } } })
const failure = await registryFailure()
if (failure === undefined) await testAll(options.all)
else process.stderr.write(`\n!!! NOT TESTED: the real models. The Python registry does not answer.\n${failure}\n`)
