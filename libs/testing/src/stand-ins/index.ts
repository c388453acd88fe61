export { anthropicMessagesProtocol } from './anthropic-messages.js'
export { startCartesiaStandIn } from './cartesia.js'
export {
  type ChatCompletionsStandIn,
  chatCompletionsProtocol,
  type Script,
  type ScriptedReply,
  startChatCompletionsStandIn,
} from './chat-completions.js'
export { type DeepgramFault, type DeepgramStandIn, startDeepgramStandIn } from './deepgram.js'
export { startElevenlabsStandIn } from './elevenlabs.js'
export {
  type AnswerRequest,
  beginEvents,
  type EventStreamServer,
  type ReceivedRequest,
  type StreamedCall,
  type StreamedProtocol,
  startEventStreamServer,
  tokensOf,
} from './event-stream-server.js'
export { standInKey } from './faults.js'
export { type OllamaServer, startOllamaServer } from './ollama.js'
export { type OpenaiSpeechOptions, startOpenaiSpeechStandIn } from './openai-speech.js'
export {
  startOpenaiTranscriptionStandIn,
  type TranscriptionFault,
  type TranscriptionStandIn,
} from './openai-transcriptions.js'
export type { SpeechFault, SpeechStandIn } from './speech-stand-in.js'
export { msPerCharacter, toneOf } from './tone-of-text.js'
export { type Found, type Mood, startSearchStandIn } from './web-search.js'
