import { withTimeout } from '@parlance/async'

/** A TURN server over UDP, with credentials. */
export interface TurnServer {
  readonly host: string
  readonly port: number
  readonly username: string
  readonly credential: string
}

const allocateWithinMs = 8_000

/**
 * Whether a TURN server over UDP allocates a relayed address for these credentials. Resolves with the address as
 * `address:port`, or undefined.
 */
export const allocateTurn = async (server: TurnServer): Promise<string | undefined> => {
  // The library is native code, which only this check needs.
  const { PeerConnection, cleanup } = await import('node-datachannel')
  const connection = new PeerConnection('parlance doctor', {
    iceServers: [
      {
        hostname: server.host,
        port: server.port,
        username: server.username,
        password: server.credential,
        relayType: 'TurnUdp',
      },
    ],
    iceTransportPolicy: 'relay',
  })
  const relayed = new Promise<string | undefined>((resolve) => {
    connection.onLocalCandidate((candidate) => {
      const [, , , , address, port, , type] = candidate.split(' ')
      if (type === 'relay') resolve(`${address}:${port}`)
    })
    connection.onGatheringStateChange((state) => {
      if (state === 'complete') resolve(undefined)
    })
  })
  try {
    // A connection without a channel or a track gathers no candidates.
    connection.createDataChannel('doctor')
    return await withTimeout(relayed, allocateWithinMs, () => undefined)
  } finally {
    connection.close()
    cleanup()
  }
}
