import type { HostedRecognizer } from '@parlance/engine/host'
import { loadPocketsphinxLibrary } from './pocketsphinx-library.js'

/** The sample rate of the model, and the version of every library with this file name. */
const sampleRateHz = 16_000
const version = '5prealpha'

/**
 * Opens the only recognizer of a process, for English. Rejects with an `EngineUnavailableError` where pocketsphinx is not
 * installed.
 */
export const openRecognizer = async (modelFolder?: string): Promise<HostedRecognizer> => {
  const pocketsphinx = await loadPocketsphinxLibrary(modelFolder)
  return {
    hello: { engine: 'pocketsphinx', version, sampleRateHz, languages: ['en'], streaming: true },
    begin: ({ acoustics }) => pocketsphinx.startUtterance(acoustics),
    accept: pocketsphinx.process,
    end: pocketsphinx.endUtterance,
    text: pocketsphinx.hypothesis,
    acoustics: pocketsphinx.acoustics,
  }
}
