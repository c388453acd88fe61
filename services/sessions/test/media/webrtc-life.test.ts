import { connect, endAll, every20Ms, frameClock, openPort } from './connected-peer.js'
import { tone } from './tone.js'

afterEach(endAll)

describe('the WebRTC transport, from its start to its end', () => {
  test('a peer that hangs up ends the call at once', async () => {
    const port = await openPort()
    const { peer, lost, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    peer.close()
    expect(await lost()).toBe('user_disconnected')
    expect(port.peers()).toBe(0)
  })

  test('a peer that hangs up while events are sent to it counts as hung up, not as lost', async () => {
    const port = await openPort()
    for (let round = 0; round < 10; round++) {
      const { peer, transport, lost, opened } = await connect(port)
      await Promise.all([opened(), peer.open])
      let sending = true
      const send = () => {
        transport.send({ event: 'pong' })
        if (sending) setImmediate(send)
      }
      send()
      peer.close()
      const reason = await lost()
      sending = false
      expect(reason).toBe('user_disconnected')
    }
  })

  test('the last messages arrive before the server hangs up, and no peer remains', async () => {
    const port = await openPort()
    const { peer, transport, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    for (let each = 0; each < 50; each++) {
      const id = '00000000-0000-4000-8000-000000000000'
      transport.send({ event: 'transcript', id, role: 'agent', text: 'x'.repeat(2000), final: false })
    }
    transport.send({ event: 'session.ended', reason: 'agent_ended', end_reason: 'agent_ended' })
    const closed = transport.close()
    expect(await peer.event('session.ended')).toEqual({
      event: 'session.ended',
      reason: 'agent_ended',
      end_reason: 'agent_ended',
    })
    await peer.channelClosed
    await closed
    await peer.closed
    expect(port.peers()).toBe(0)
  })

  test('a peer that hangs up at the same time as the server ends the wait', async () => {
    const port = await openPort()
    const { peer, transport, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    let ticks = 0
    const stop = frameClock.onTick(() => ticks++)
    const closed = transport.close()
    await peer.channelClosed
    peer.close()
    await closed
    stop()
    expect(ticks).toBeLessThan(24)
  })

  test('a peer that never connects is lost, and no connection remains', async () => {
    const port = await openPort({ connectTimeoutMs: 200 })
    const { lost, peer } = await connect(port, { answers: false })
    expect(await lost()).toBe('ice_failed')
    expect(port.peers()).toBe(0)
    expect(peer.connection.state()).not.toBe('connected')
  })

  test('a data channel with another name is ignored', async () => {
    const port = await openPort({ connectTimeoutMs: 2_000 })
    const { lost, peer } = await connect(port, { label: 'chat' })
    await peer.channelClosed
    expect(await lost()).toBe('ice_failed')
  })

  test('a peer that sends nothing is lost; one that sends ping is not', async () => {
    const port = await openPort({ livenessTimeoutMs: 1_000 })
    const [silent, alive] = await Promise.all([connect(port, { audio: false }), connect(port, { audio: false })])
    await Promise.all([silent.opened(), alive.opened(), alive.peer.open])
    const stop = frameClock.onTick(() => alive.peer.send(JSON.stringify({ event: 'ping' })))
    expect(await silent.lost()).toBe('connection_lost')
    stop()
    expect(port.peers()).toBe(1)
    expect(await alive.lost()).toBe('connection_lost')
  })

  test('a peer that sends audio counts as alive without events on the data channel', async () => {
    const port = await openPort({ livenessTimeoutMs: 1_000 })
    const { peer, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    await every20Ms(75, (index) => peer.speak(tone({ hz: 300, rateHz: 48000, samples: 960, from: index * 960 })))
    expect(port.peers()).toBe(1)
  })

  test('no connection remains after two hundred peers connected and either side hung up', async () => {
    const port = await openPort()
    for (let round = 0; round < 20; round++) {
      await Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const { peer, transport, opened, lost } = await connect(port)
          await Promise.all([opened(), peer.open])
          if (index % 2 === 0) {
            peer.close()
            expect(await lost()).toBe('user_disconnected')
          } else {
            const closed = transport.close()
            await peer.channelClosed
            peer.close()
            await closed
          }
        }),
      )
    }
    expect(port.peers()).toBe(0)
  })
})
