import type { HostedRecognizer } from '@parlance/engine/host'
import { loadPocketsphinxLibrary } from './pocketsphinx-library.js'

/** Of the model, and of every library that is called by this name. */
const sampleRateHz = 16_000
const version = '5prealpha'

/** English by pocketsphinx; one a process. Rejects with an `EngineUnavailableError` where it is not installed. */
export const openHearer = async (modelFolder?: string): Promise<HostedRecognizer> => {
  const pocketsphinx = await loadPocketsphinxLibrary(modelFolder)
  return {
    hello: { engine: 'pocketsphinx', version, sampleRateHz, languages: ['en'], streaming: true },
    begin: ({ acoustics }) => pocketsphinx.startUtterance(acoustics),
    hear: pocketsphinx.process,
    end: pocketsphinx.endUtterance,
    text: pocketsphinx.hypothesis,
    acoustics: pocketsphinx.acoustics,
  }
}
