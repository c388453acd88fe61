/** `/tts/websocket`: Cartesia's WebSocket, on which text is spoken while it is being written. */
import { streamLimits } from '@parlance/contracts'
import { createOpenSpeech } from '../../stream/speech-streams.js'
import { createStreamUpgrade } from '../../stream/stream-upgrade.js'
import { createIdentify, type VendorSpeechOptions } from '../vendor-clients.js'
import { createCartesiaDialect } from './cartesia-messages.js'
import { cartesiaPath } from './cartesia-routes.js'

/** Cartesia closes a connection that is idle for 5 minutes; ours end after at most 3. */
const inactivityTimeoutSeconds = 180

export const createCartesiaSocket = (options: VendorSpeechOptions) => {
  const openSpeech = createOpenSpeech(options)
  return createStreamUpgrade({
    ...options,
    path: `${cartesiaPath}/tts/websocket`,
    protocols: [],
    maxFrameBytes: streamLimits.frame_bytes,
    refusesOnSocket: () => false,
    identify: createIdentify(options),
    readQuery: () => ({ inactivity_timeout: inactivityTimeoutSeconds }),
    openConnection: (stream) => openSpeech(stream, createCartesiaDialect()),
  })
}
