export { EngineUnavailableError, type HostedEngine, runEngineHost, SpeechRefusedError } from './engine-host.js'
export type { SpeechOutput } from './speech-output.js'
