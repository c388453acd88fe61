export { startNatsServer, startPrometheusServer, startRedisServer } from './backing-servers.js'
export type { TestServer } from './child-server.js'
export { describeWithPrograms } from './describe-with-programs.js'
export { explainQueries } from './explained-queries.js'
export { fakeHandlers, sampleOf } from './fake-handlers.js'
export { freePort } from './free-port.js'
export {
  availablePrograms,
  findBinary,
  findEspeakData,
  findLibrary,
  findPostgresFolder,
  type ProgramName,
} from './installed-programs.js'
export { loadedModules } from './loaded-modules.js'
export { type LocalServer, sendJson, startLocalServer } from './local-server.js'
export { type OnnxModel, onnxFile } from './onnx-writer.js'
export { type OtlpReceiver, type SentSpan, startOtlpReceiver } from './otlp-receiver.js'
export { patientClient } from './patient-client.js'
export { startPostgresServer } from './postgres-server.js'
export { endProcess, startServiceProcess } from './service-process.js'
export { standInOfferedVoice, standInVoice } from './stand-in-voice.js'
export { startStandalone } from './standalone-process.js'
export { testSeed } from './test-seed.js'
export { type ToneModelOptions, type ToneModelShape, writeToneModel } from './tone-model.js'
export { spokenInTones } from './tone-recognizers/tones.js'
export {
  type ToneRecognizerKind,
  type ToneRecognizerOptions,
  toneRecognizerKinds,
  writeToneRecognizer,
} from './tone-recognizers/write-tone-recognizer.js'
export { turnOfTones, writeToneTurnModel } from './tone-turn-model.js'
export { weakenDatabases } from './weakened-databases.js'
export { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js'
export { wordErrors, wordsOf } from './word-errors.js'
