import type { AlignmentKind, OfferedVoice } from '@parlance/contracts'
import type { RemoteModel } from './remote-config.js'
import { idOfRemoteVoice, offeredRemoteVoice, type RemoteVoice } from './remote-voice.js'

export interface RemoteVoicesOptions {
  readonly engine: string
  readonly models: readonly RemoteModel[]
  readonly alignment: readonly AlignmentKind[]
}

/** The voices of a server that are known now, by their ids at Parlance. */
export interface RemoteVoices {
  set(voices: readonly RemoteVoice[]): void
  offered(): readonly OfferedVoice[]
  find(voiceId: string): RemoteVoice | undefined
}

export const createRemoteVoices = ({ engine, models, alignment }: RemoteVoicesOptions): RemoteVoices => {
  let known = new Map<string, RemoteVoice>()
  let offered: readonly OfferedVoice[] = []
  return {
    set(voices) {
      known = new Map(voices.map((voice) => [idOfRemoteVoice(engine, voice.id), voice]))
      offered = [...known.values()].map((voice) => offeredRemoteVoice(engine, voice, models, alignment))
    },
    offered: () => offered,
    find: (voiceId) => known.get(voiceId),
  }
}
