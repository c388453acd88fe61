/** `/v1/listen`: streams of audio that are recognized. */
import type { Client } from '@parlance/bus'
import { type ListenGrant, listenLimits, listenProtocol, type transcriptionContract } from '@parlance/contracts'
import type { OpenTranscriptionBill } from '../transcription/transcription-billing.js'
import type { SocketRoute } from '../websocket/upgrade.js'
import { openListenConnection } from './listen-connection.js'
import type { StreamAdmission } from './stream-admission.js'
import { byToken, createStreamUpgrade, type StreamsOptions } from './stream-upgrade.js'

export const listenPath = '/v1/listen'

export interface ListenStreamsOptions extends StreamsOptions {
  readonly admission: StreamAdmission<ListenGrant>
  readonly transcription: Pick<Client<typeof transcriptionContract>, 'listen'>
  readonly openTranscriptionBill: OpenTranscriptionBill
}

export const createListenSocket = (options: ListenStreamsOptions): SocketRoute =>
  createStreamUpgrade({
    ...options,
    ...byToken(listenProtocol, listenLimits, options.admission),
    path: listenPath,
    openConnection: (stream) => openListenConnection({ ...options, ...stream }),
  })
