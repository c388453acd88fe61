import type { NaturalVoice, VoiceInstaller } from '@parlance/contracts'
import { findEspeakData } from '@parlance/models/install'
import { chooseVoice } from './choose-voice.js'
import type { ModelInstaller } from './model-installer.js'

type License = NaturalVoice['licenses'][number]

export interface VoiceInstallerOptions {
  readonly installer: ModelInstaller
  readonly modelsDir: string
  /** The workspace whose keys may install; undefined while there is none. */
  readonly findWorkspaceId: () => Promise<string | undefined>
}

/** Lets the page at `/play` install a voice of the catalogue, with the data of eSpeak NG where the machine has none. */
export const createVoiceInstaller = ({
  installer,
  modelsDir,
  findWorkspaceId,
}: VoiceInstallerOptions): VoiceInstaller => ({
  findWorkspaceId,
  async findVoice(languages) {
    const { models, espeak_data: espeakData } = await installer.readCatalogue()
    const chosen = chooseVoice(models, languages)
    if (chosen === undefined) return undefined
    const { model, language, sizeBytes } = chosen
    const { name, display_name, license } = model
    const ofVoice: License = {
      of: display_name,
      license: license.name,
      source: license.source,
      lineage: license.lineage,
    }
    const needsData = model.format === 'piper' && (await findEspeakData(modelsDir)) === undefined
    const ofData: License = {
      of: 'eSpeak NG’s data',
      license: espeakData.license,
      source: espeakData.source,
      lineage: null,
    }
    return {
      name,
      display_name,
      language,
      size_bytes: sizeBytes + (needsData ? espeakData.size_bytes : 0),
      licenses: needsData ? [ofVoice, ofData] : [ofVoice],
    }
  },
  install: (name, onEvent, signal) => installer.install({ name, acceptsLicense: true }, onEvent, signal),
})
