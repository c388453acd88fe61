export {
  createOrderSpeech,
  firstAudioDeadline,
  firstAudioVariables,
  type OrderedSpeech,
  type OrderSpeech,
} from './ordered-speech.js'
export {
  createSpeechBilling,
  type OpenSpeechBill,
  type SpeechBill,
  type SpeechOrder,
} from './speech-billing.js'
export { createSynthesize, type Synthesize } from './synthesize.js'
export { createVoicePrices, type VoicePrices } from './voice-prices.js'
export { isLostAnswer } from './worker-search.js'
