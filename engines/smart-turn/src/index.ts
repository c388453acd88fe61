export { logMel } from './log-mel.js'
export { openTurnDetector } from './turn-detector.js'
export { type TurnTrial, type TurnTrialOptions, tryTurnModel } from './turn-trial.js'
