export { logMel } from './smart-turn.js'
export { openTurnDetector } from './turn-detector.js'
export { type TurnTrial, type TurnTrialOptions, tryTurnModel } from './turn-trial.js'
