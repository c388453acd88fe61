import { createPage, sharedParts } from './page.js'

const own = new URL('../../assets/play/', import.meta.url)

const parts = [
  'play.css',
  'play.js',
  'player.js',
  'samples.js',
  'speech.js',
  'stream.js',
  'view.js',
  'voices.js',
  'waveform.js',
  'words.js',
]

/** Where people hear the voices, at `/play`. */
export const play = createPage(own, new Map([...sharedParts, ...parts.map((name) => [name, own] as const)]))
