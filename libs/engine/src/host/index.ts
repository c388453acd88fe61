export { EngineUnavailableError } from '../protocol/index.js'
export { type HostedEngine, runEngineHost, SpeechRefusedError } from './engine-host.js'
export { type HostedRecognizer, runRecognizerHost } from './recognizer-host.js'
export type { SpeechOutput } from './speech-output.js'
