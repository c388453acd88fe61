export { logMel } from './smart-turn.js'
export { openTurnDetector } from './turn-detector.js'
export { type TurnTrial, tryTurnModel } from './turn-trial.js'
