import { createPageRoutes, sharedFiles } from './page.js'

const folder = new URL('../../../assets/play/', import.meta.url)

const files = [
  'natural-voice.css',
  'natural-voice.js',
  'play.css',
  'play.js',
  'player.js',
  'samples.js',
  'speech.js',
  'stream.js',
  'view.js',
  'voice-installation.js',
  'voices.js',
  'waveform.js',
  'words.js',
]

export const play = createPageRoutes({
  path: '/play',
  operationId: 'play',
  summary: 'A page to try the voices, with a key',
  folder,
  files: new Map([...sharedFiles, ...files.map((name) => [name, folder] as const)]),
})
