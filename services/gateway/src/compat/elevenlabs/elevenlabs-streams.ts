/** `stream-input` and `multi-stream-input`: ElevenLabs' WebSockets, on which text is spoken while it is being written. */
import { streamLimits } from '@parlance/contracts'
import { parseRequest } from '../../http/parsed-request.js'
import { createOpenSpeech } from '../../stream/speech-streams.js'
import { createStreamUpgrade } from '../../stream/stream-upgrade.js'
import { createIdentify, type VendorSpeechOptions } from '../vendor-clients.js'
import { createElevenlabsDialect, outputNamed, streamInputQuerySchema } from './elevenlabs-messages.js'
import { elevenlabsPath } from './elevenlabs-routes.js'

export const createElevenlabsSockets = (options: VendorSpeechOptions) => {
  const openSpeech = createOpenSpeech(options)
  const socketAt = (name: string, isMulti: boolean) =>
    createStreamUpgrade({
      ...options,
      path: `${elevenlabsPath}/v1/text-to-speech/:voice/${name}`,
      protocols: [],
      maxFrameBytes: streamLimits.frame_bytes,
      refusesOnSocket: () => false,
      identify: createIdentify(options),
      readQuery(given, { voice = '' }) {
        const query = parseRequest(streamInputQuerySchema, Object.fromEntries(given))
        const { inactivity_timeout, output_format } = query
        return { inactivity_timeout, voiceId: decodeURIComponent(voice), query, output: outputNamed(output_format) }
      },
      openConnection: (stream) => openSpeech(stream, createElevenlabsDialect({ ...stream.query, isMulti })),
    })
  return [socketAt('stream-input', false), socketAt('multi-stream-input', true)]
}
