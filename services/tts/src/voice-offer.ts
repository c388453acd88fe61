import type { Client } from '@parlance/bus'
import type { catalogContract, OfferedVoice } from '@parlance/contracts'

/** A third of the time after which the catalog forgets an engine. */
const offerIntervalMs = 5_000

/** Tells the catalog what this process can speak: now, every few seconds, when asked, and at the end that it is over. */
export const startVoiceOffer = (
  catalog: Client<typeof catalogContract>,
  connected: () => boolean,
  instanceId: string,
  voices: readonly OfferedVoice[],
) => {
  const offer = (offered: readonly OfferedVoice[]) => {
    // While the connection is lost nobody hears it; the next turn comes soon.
    if (connected()) catalog.voicesOffered.publish({ instance_id: instanceId, voices: [...offered] })
  }
  const wanted = catalog.voicesWanted.subscribe(() => offer(voices))
  const timer = setInterval(() => offer(voices), offerIntervalMs)
  offer(voices)

  return {
    stop() {
      clearInterval(timer)
      wanted.unsubscribe()
      offer([])
    },
  }
}
