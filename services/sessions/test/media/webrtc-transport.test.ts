import { connect, endAll, openPort } from './connected-peer.js'
import { tone } from './tone.js'

afterEach(endAll)

describe('webrtc transport', () => {
  test('events go both ways', async () => {
    const port = await openPort()
    const { peer, transport, events, until, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    peer.send(JSON.stringify({ event: 'client.ready' }))
    await until(() => events.length === 1)
    expect(events).toEqual([{ event: 'client.ready' }])
    transport.send({ event: 'pong' })
    expect(await peer.event('pong')).toEqual({ event: 'pong' })
  })

  test('invalid messages cause errors, and the next ones are read', async () => {
    const port = await openPort()
    const { peer, events, until, opened } = await connect(port)
    await Promise.all([opened(), peer.open])
    const answers: unknown[] = []
    for (const message of ['nope', '{}', Uint8Array.of(1, 2, 3), `"${'x'.repeat(70_000)}"`]) {
      peer.send(message)
      answers.push(await peer.event('error'))
    }
    expect(answers).toMatchObject(
      ['invalid_json', 'invalid_request', 'invalid_request', 'payload_too_large'].map((code) => ({
        code,
        request_id: 'req-1',
      })),
    )
    peer.send(JSON.stringify({ event: 'ping' }))
    await until(() => events.length === 1)
  })

  test('a peer that only writes needs no audio line', async () => {
    const port = await openPort()
    const { peer, transport, events, received, until, opened } = await connect(port, { audio: false })
    await Promise.all([opened(), peer.open])
    transport.playFrame(tone({ hz: 440, rateHz: 24000, samples: 480 }))
    peer.send(JSON.stringify({ event: 'client.ready' }))
    await until(() => events.length === 1)
    expect(received).toEqual([])
  })

  test('a late candidate is used, an unusable one has no effect, and text that is not a candidate is refused', async () => {
    const port = await openPort()
    const { transport, opened } = await connect(port)
    transport.addRemoteCandidate('candidate:1 1 UDP 2114977791 127.0.0.1 40000 typ host')
    transport.addRemoteCandidate('candidate:1 1 TCP 2114977791 127.0.0.1 9 typ host tcptype active')
    transport.addRemoteCandidate('candidate:1 1 UDP 2114977791 a-name.local 40000 typ host')
    transport.addRemoteCandidate('')
    expect(() => transport.addRemoteCandidate('hello')).toThrow(expect.objectContaining({ code: 'invalid_sdp' }))
    await opened()
  })

  test('an invalid offer leaves no connection', async () => {
    const port = await openPort()
    expect(() => port.accept({ offer: 'v=0\r\n', needsAudio: true, requestId: 'req-1' })).toThrow(
      expect.objectContaining({ code: 'invalid_sdp' }),
    )
    expect(port.peers()).toBe(0)
  })

  test('the announced address replaces the machine’s own addresses in the answer', async () => {
    const port = await openPort({ announcedAddress: '203.0.113.7' })
    const { answer } = await connect(port, { answers: false })
    const candidates = answer.split('\r\n').filter((line) => line.startsWith('a=candidate'))
    expect(candidates).toEqual([
      expect.stringMatching(new RegExp(`^a=candidate:1 1 UDP \\d+ 203.0.113.7 ${port.port} typ host$`)),
    ])
    expect(answer).not.toContain('127.0.0.1 ')
    await expect(openPort({ announcedAddress: 'not.an.address' })).rejects.toThrow(/IP address/)
  })

  test('a port in use is an error', async () => {
    const port = await openPort()
    await expect(openPort({ port: port.port })).rejects.toThrow(/EADDRINUSE/)
  })
})
