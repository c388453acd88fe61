import type { Bus, Client } from '@parlance/bus'
import type { catalogContract, OfferedVoice, SynthesisMethod } from '@parlance/contracts'

/** A third of the time after which the catalog drops an engine. */
const offerIntervalMs = 5_000
/** Of a few hundred bytes each; a message holds half a megabyte. */
const maxVoicesInPart = 200

interface VoiceOfferOptions {
  readonly catalog: Pick<Client<typeof catalogContract>, 'voicesOffered' | 'voicesWanted'>
  readonly bus: Pick<Bus, 'connected' | 'onReconnect'>
  readonly instanceId: string
  readonly engine: string
  readonly synthesis: SynthesisMethod
  /** The voices that the engine can speak now. */
  readonly voices: () => readonly OfferedVoice[]
}

/**
 * Announces to the catalog the voices of one engine of this process: at the start, when they change, every few seconds, on
 * request, after a reconnection, and at the end an empty list.
 */
export const startVoiceOffer = ({ catalog, bus, instanceId, engine, synthesis, voices }: VoiceOfferOptions) => {
  let parts = 1

  const publish = (offered: readonly OfferedVoice[]) => {
    // Messages that are published while the connection is lost are not delivered. The offer is repeated after a reconnection.
    if (!bus.connected()) return
    const needed = Math.max(1, Math.ceil(offered.length / maxVoicesInPart))
    for (let part = 0; part < Math.max(needed, parts); part++) {
      const from = part * maxVoicesInPart
      catalog.voicesOffered.publish({
        instance_id: instanceId,
        engine,
        part,
        synthesis,
        voices: offered.slice(from, from + maxVoicesInPart),
      })
    }
    parts = needed
  }
  const offer = () => publish(voices())
  const wanted = catalog.voicesWanted.subscribe(offer)
  const stopReoffering = bus.onReconnect(offer)
  const timer = setInterval(offer, offerIntervalMs)
  offer()

  return {
    /** Called when the voices that the engine can speak have changed. */
    changed: offer,
    stop(): void {
      clearInterval(timer)
      stopReoffering()
      wanted.unsubscribe()
      publish([])
    },
  }
}

export type VoiceOffer = ReturnType<typeof startVoiceOffer>
