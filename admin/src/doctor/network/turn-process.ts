// A process that asks one TURN server for a relayed address. It gets a `TurnServer` and answers with a `TurnAnswer`.
import { PeerConnection } from 'node-datachannel'
import type { TurnAnswer, TurnServer } from './turn-client.js'

const allocate = ({ host, port, username, credential }: TurnServer): void => {
  const answer = (relayed?: string) => process.send!({ relayed } satisfies TurnAnswer)
  const connection = new PeerConnection('parlance doctor', {
    iceServers: [{ hostname: host, port, username, password: credential, relayType: 'TurnUdp' }],
    iceTransportPolicy: 'relay',
  })
  connection.onLocalCandidate((candidate) => {
    const [, , , , address, port, , type] = candidate.split(' ')
    if (type === 'relay') answer(`${address}:${port}`)
  })
  connection.onGatheringStateChange((state) => {
    if (state === 'complete') answer()
  })
  // A connection without a channel or a track gathers no candidates.
  connection.createDataChannel('doctor')
}

process.once('message', allocate)
// The threads of the library would keep the process alive.
process.once('disconnect', () => process.exit())
