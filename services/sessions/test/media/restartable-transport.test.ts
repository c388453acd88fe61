import type { SessionClientEvent } from '@parlance/contracts'
import type { LossReason } from '../../src/media/transport.js'
import { createRestartableTransport } from '../../src/media/webrtc/restartable-transport.js'
import type { WebRtcPortOptions } from '../../src/media/webrtc/webrtc-port.js'
import { endAll, every20Ms, openPort } from './connected-peer.js'
import { createTestPeer, type TestPeer } from './test-peer.js'

const peers: TestPeer[] = []
const newPeer = () => {
  const peer = createTestPeer()
  peers.push(peer)
  return peer
}
afterEach(async () => {
  for (const peer of peers.splice(0)) peer.close()
  await endAll()
})

/** A connected peer, its transport, and what the conversation receives of both. */
const talk = async (options: Partial<WebRtcPortOptions> = {}) => {
  const port = await openPort(options)
  const peer = newPeer()
  const accept = (offer: string) => port.accept({ offer, needsAudio: true, requestId: 'req-1' })
  const { transport, answer } = createRestartableTransport(accept, peer.offer)
  const events: SessionClientEvent[] = []
  const lost: LossReason[] = []
  let opened = 0
  const until = async (when: () => boolean) => {
    while (!when()) await every20Ms(1, () => {})
  }
  transport.listen({
    onOpen: () => {
      opened += 1
    },
    onAudio: () => {},
    onEvent: (event) => events.push(event),
    onLost: (reason) => lost.push(reason),
  })
  peer.answer(answer)
  await Promise.all([peer.open, until(() => opened === 1)])
  return { port, peer, transport, events, lost, opened: () => opened, until }
}
/** Longer than the first peer takes to connect on a busy machine. */
const connectTimeoutMs = 2_000
const ping = JSON.stringify({ event: 'ping' })

describe('a peer that comes again over another connection', () => {
  test('continues there, and the first connection is closed', async () => {
    const { port, peer, transport, events, lost, opened, until } = await talk()
    const again = newPeer()
    again.answer(transport.restart(again.offer))
    await Promise.all([again.open, peer.channelClosed])
    again.send(ping)
    await until(() => events.length === 1)
    transport.send({ event: 'pong' })
    await again.event('pong')
    await until(() => port.peers() === 1)
    expect([opened(), lost]).toEqual([1, []])
  })

  test('is served by the first until then, and only by it when the other never connects', async () => {
    const { port, peer, transport, events, lost, until } = await talk({ connectTimeoutMs })
    transport.restart(newPeer().offer)
    expect(port.peers()).toBe(2)
    await until(() => port.peers() === 1)
    peer.send(ping)
    await until(() => events.length === 1)
    expect(lost).toEqual([])
  })

  test('gets the events between the two connections over the second', async () => {
    const { peer, transport, lost, until, port } = await talk()
    const again = newPeer()
    const answer = transport.restart(again.offer)
    peer.close()
    await until(() => port.peers() === 1)
    transport.send({ event: 'agent.state', state: 'listening' })
    again.answer(answer)
    expect(await again.event('agent.state')).toEqual({ event: 'agent.state', state: 'listening' })
    expect(lost).toEqual([])
  })

  test('is lost once, when neither connection is left', async () => {
    const { port, peer, transport, lost, until } = await talk({ connectTimeoutMs })
    transport.restart(newPeer().offer)
    peer.close()
    await until(() => lost.length > 0)
    expect([port.peers(), lost]).toEqual([0, ['user_disconnected']])
  })

  test('with an invalid offer continues as before, and one that hangs up leaves no connection', async () => {
    const { port, peer, transport, events, until } = await talk()
    expect(() => transport.restart('v=0')).toThrow(/no line for a data channel/)
    peer.send(ping)
    await until(() => events.length === 1)
    transport.restart(newPeer().offer)
    transport.restart(newPeer().offer)
    await transport.close()
    expect(port.peers()).toBe(0)
    expect(() => transport.restart(peer.offer)).toThrow(/has ended/)
  })
})
