import { createHmac } from 'node:crypto'
import { iceServers, iceServerTtlSeconds } from '../../src/media/webrtc/ice-servers.js'
import { announceAddress } from '../../src/media/webrtc/session-description.js'

describe('ICE servers', () => {
  const turnUrls = ['turn:turn.example:3478?transport=udp', 'turns:turn.example:5349']

  test('a TURN server accepts the username and its password for ten minutes', () => {
    const [stun, turn] = iceServers(
      { stunUrls: ['stun:stun.example:3478'], turnUrls, turnSecret: 'secret' },
      'abc',
      1_000_000_500,
    )
    expect(stun).toEqual({ urls: ['stun:stun.example:3478'] })
    expect(iceServerTtlSeconds).toBe(600)
    expect(turn?.urls).toEqual(turnUrls)
    expect(turn?.username).toBe('1000600:abc')
    expect(turn?.credential).toBe(createHmac('sha1', 'secret').update('1000600:abc').digest('base64'))
  })

  test('without a secret there is no TURN server, and without any setting there is no server', () => {
    expect(iceServers({ stunUrls: [], turnUrls, turnSecret: undefined }, 'abc', 0)).toEqual([])
    expect(iceServers({ stunUrls: [], turnUrls: [], turnSecret: 'secret' }, 'abc', 0)).toEqual([])
  })
})

describe('announced address', () => {
  const answer = [
    'm=audio 4000 UDP/TLS/RTP/SAVPF 111',
    'c=IN IP4 10.0.0.2',
    'a=candidate:1 1 UDP 2114977791 10.0.0.2 4000 typ host',
    'a=candidate:2 1 UDP 2114977535 fd00::2 4000 typ host',
    'a=end-of-candidates',
  ].join('\r\n')

  test.each([
    ['203.0.113.7', 'IP4'],
    ['2001:db8::7', 'IP6'],
  ])('%s replaces all addresses of the machine, once', (address, family) => {
    expect(announceAddress(answer, address).split('\r\n')).toEqual([
      'm=audio 4000 UDP/TLS/RTP/SAVPF 111',
      `c=IN ${family} ${address}`,
      `a=candidate:1 1 UDP 2114977791 ${address} 4000 typ host`,
      'a=end-of-candidates',
    ])
  })
})
