import { createPage } from './page.js'

const own = new URL('../../assets/play/', import.meta.url)
const names = [
  ...['play.css', 'icon.svg'],
  ...['play.js', 'api.js', 'player.js', 'speech.js', 'stream.js', 'view.js', 'voices.js', 'waveform.js', 'words.js'],
]

/** Where people hear the voices, at `/play`. */
export const play = createPage(own, new Map(names.map((name) => [name, own])))
