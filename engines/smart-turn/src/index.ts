export { logMel } from './log-mel.js'
export { openTurnDetector } from './turn-detector.js'
