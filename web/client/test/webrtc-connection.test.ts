import { once } from 'node:events'
import type { StartedSession } from '../src/session-api.js'
import { openWebRtcConnection } from '../src/webrtc-connection.js'

class FakePeer extends EventTarget {
  static readonly opened: FakePeer[] = []
  readonly channel = Object.assign(new EventTarget(), { close() {} })
  readonly localDescription = { sdp: 'v=0' }
  readonly iceServers: readonly RTCIceServer[]

  /** The connection may change its object later. */
  constructor({ iceServers }: { readonly iceServers: readonly RTCIceServer[] }) {
    super()
    this.iceServers = iceServers
    FakePeer.opened.push(this)
  }
  createDataChannel() {
    return this.channel
  }
  addTransceiver() {
    return { sender: { async replaceTrack() {} }, receiver: {} }
  }
  async setLocalDescription() {
    this.dispatchEvent(Object.assign(new Event('icecandidate'), { candidate: null }))
  }
  async setRemoteDescription() {
    setImmediate(() => this.channel.dispatchEvent(new Event('open')))
  }
  close() {}
}

test('a reconnection uses the ICE servers of the start: the credentials of those before it may have expired', async () => {
  Object.assign(globalThis, { RTCPeerConnection: FakePeer, window: new EventTarget() })
  Object.defineProperty(globalThis, 'navigator', { value: {}, configurable: true })
  const answer = { type: 'answer', sdp: 'v=0' } as const
  const [before, lasting] = ['before', 'lasting'].map((username) => [{ urls: 'turn:turn.example', username }])
  const connectivity = new EventTarget()
  const isConnected = once(connectivity, 'connected')
  const connection = await openWebRtcConnection({
    microphone: undefined,
    audioContext: () => undefined,
    token: 'awst_0',
    iceServers: async () => before!,
    start: async () => ({ sdp: answer, ice_servers: lasting! }) as StartedSession,
    restart: async () => answer,
    listener: {
      onMessage() {},
      onTrack() {},
      onConnectivity: (isThere) => void connectivity.dispatchEvent(new Event(isThere ? 'connected' : 'lost')),
      onClosed() {},
    },
  })
  await isConnected
  const isConnectedAgain = once(connectivity, 'connected')
  connection.reconnect()
  await isConnectedAgain
  expect(FakePeer.opened.map(({ iceServers }) => iceServers)).toEqual([before, lasting])
  connection.close()
})
