export { spokenWords } from './spoken-word.js'
export { estimateWordTimes } from './word-times.js'
export { letterWeight, phonemeWeight } from './word-weight.js'
