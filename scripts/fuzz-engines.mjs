// `npm run fuzz:engines`: gives generated texts to the speech engines, each in its process, in every language that they offer.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { optionsOrExit } from './options.mjs'

const usage = `npm run fuzz:engines -- [options]: gives generated texts to the speech engines, in every language that they offer

  --engine NAME     espeak-ng-native, espeak-ng-wasm or flite; all of them when left out
  --language TAG    only this one
  --texts 1000      for each engine and language
  --seed N          repeats a run; chosen and printed when left out
  --replay FILE     speaks the texts of earlier findings instead, each in every language
  --findings 20     ends after so many texts that failed, each made as short as possible
  -h, --help        prints this

Each finding is printed as a line of JSON that can be added to tests/engine-texts.json, whose texts are spoken again by
tests/engine-texts.test.ts. Ends with 1 when there was a finding. Needs what was built (npm run build).`

const known = {
  engine: { type: 'string' },
  language: { type: 'string' },
  texts: { type: 'string', default: '1000' },
  seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  replay: { type: 'string' },
  findings: { type: 'string', default: '20' },
}

const withNumbers = (values) => {
  const numbers = Object.fromEntries(['texts', 'seed', 'findings'].map((name) => [name, Number(values[name])]))
  for (const [name, value] of Object.entries(numbers)) {
    if (!Number.isInteger(value) || value < 0) throw new Error(`--${name} takes a whole number`)
  }
  return { ...values, ...numbers }
}

const options = optionsOrExit(usage, { options: known }, withNumbers)
const { engine: onlyEngine, language: onlyLanguage, texts: textCount, seed, findings: maxFindings } = options
const { commands, openEngineUnderTest } = await import('./fuzz/engine-under-test.mjs')
const { texts } = await import('./fuzz/texts.mjs')

/** In texts. */
const progressInterval = 1000

const replayed = options.replay === undefined ? undefined : JSON.parse(readFileSync(options.replay, 'utf8'))
const findings = []

/** Resolves with the number of spoken texts. Continues with other texts after a finding. */
const fuzzLanguage = async (engine, name, language, voice) => {
  let spoken = 0
  for (let round = 0; spoken < textCount && findings.length < maxFindings; round++) {
    let begun = 0
    const property = fc.asyncProperty(texts, (text) => {
      begun += 1
      if (begun % progressInterval === 0) console.error(`${name}, ${language}: ${spoken + begun} texts`)
      return engine.speak(text, language, voice)
    })
    const result = await fc.check(property, { numRuns: textCount - spoken, seed: seed + round, endOnFailure: false })
    spoken += result.numRuns
    if (!result.failed) break
    const { cause } = result.errorInstance
    const problem = cause instanceof Error ? cause.message : result.errorInstance.message
    findings.push({ engine: name, language, problem, text: result.counterexample[0] })
    console.log(JSON.stringify(findings.at(-1)))
  }
  return spoken
}

/** Resolves with the number of spoken texts. */
const replayLanguage = async (engine, name, language, voice) => {
  for (const { text } of replayed) {
    try {
      await engine.speak(text, language, voice)
    } catch (error) {
      const problem = error.cause instanceof Error ? error.cause.message : error.message
      findings.push({ engine: name, language, problem, text })
      console.log(JSON.stringify(findings.at(-1)))
    }
  }
  return replayed.length
}

const testLanguage = replayed === undefined ? fuzzLanguage : replayLanguage
if (replayed === undefined) console.error(`seed ${seed}`)
for (const name of onlyEngine === undefined ? Object.keys(commands) : [onlyEngine]) {
  const engine = await openEngineUnderTest(name)
  for (const [language, voice] of engine.languages) {
    if (onlyLanguage !== undefined && language !== onlyLanguage) continue
    const startedMs = performance.now()
    const spoken = await testLanguage(engine, name, language, voice)
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    console.error(`${name}, ${language}: ${spoken} texts in ${seconds} s, ${findings.length} findings so far`)
  }
  await engine.close()
}
process.exitCode = findings.length > 0 ? 1 : 0
