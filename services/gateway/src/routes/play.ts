import { createPage } from './page.js'

const own = new URL('../../assets/play/', import.meta.url)
const shared = new URL('../../assets/docs/', import.meta.url)

const modules = ['play', 'api', 'player', 'speech', 'stream', 'view', 'voices', 'waveform', 'words']

/** Where people hear the voices, at `/play`. */
export const play = createPage(
  own,
  new Map([['icon.svg', shared], ['play.css', own], ...modules.map((name) => [`${name}.js`, own] as const)]),
)
