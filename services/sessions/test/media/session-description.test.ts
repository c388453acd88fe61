import { readFileSync } from 'node:fs'
import { ServiceError } from '@parlance/contracts'
import { testSeed } from '@parlance/testing'
import fc from 'fast-check'
import { parseOffer, usableCandidate, writeOffer } from '../../src/media/webrtc/session-description.js'

const read = (name: string) => readFileSync(new URL(`./offers/${name}.sdp`, import.meta.url), 'utf8')
const chromium = read('chromium')
const sessionLevel = read('session-level')
const textOnly = read('text-only')

const seed = testSeed()

const refusal = (sdp: string, needsAudio = true): string => {
  try {
    parseOffer(sdp, { needsAudio })
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_sdp') return error.detail
    throw error
  }
  return 'accepted'
}

const without = (sdp: string, line: RegExp) =>
  sdp
    .split('\r\n')
    .filter((each) => !line.test(each))
    .join('\r\n')

/** The description up to, and from, its second media line on. */
const secondLineAt = (sdp: string) => sdp.indexOf('m=application')

describe('session description', () => {
  test("Chromium's offer is parsed", () => {
    const offer = parseOffer(chromium, { needsAudio: true })
    expect(offer).toMatchObject({
      audio: { mid: '0', payloadType: 111, direction: 'sendrecv' },
      data: { mid: '1', sctpPort: 5000, maxMessageBytes: 262_144 },
      audioFirst: true,
      setup: 'actpass',
    })
    expect(offer.candidates.every((candidate) => / udp .* typ host$/.test(candidate))).toBe(true)
    expect(offer.candidates.length).toBeGreaterThan(0)
  })

  test('attributes that are written once for all lines are parsed', () => {
    const offer = parseOffer(sessionLevel, { needsAudio: true })
    expect(offer.audio?.payloadType).toBe(109)
    expect(offer.fingerprint).toMatch(/^sha-256 /)
  })

  test('an offer without audio is accepted for conversations by text', () => {
    expect(parseOffer(textOnly, { needsAudio: false }).audio).toBeUndefined()
    expect(refusal(textOnly)).toMatch(/no audio line/)
  })

  test('a written offer is parsed as the same offer', () => {
    for (const sdp of [chromium, sessionLevel, textOnly]) {
      const offer = parseOffer(sdp, { needsAudio: false })
      expect(parseOffer(writeOffer(offer), { needsAudio: false })).toEqual(offer)
    }
  })

  test('a line that uses the port of another line is not disabled', () => {
    const bundleOnly = chromium
      .replace(/m=application \d+/, 'm=application 0')
      .replace('a=mid:1', 'a=mid:1\r\na=bundle-only')
    expect(refusal(bundleOnly)).toBe('accepted')
  })

  test('the data channel may be first', () => {
    const at = secondLineAt(chromium)
    const first = chromium.indexOf('m=audio')
    const turned = chromium.slice(0, first) + chromium.slice(at) + chromium.slice(first, at)
    const offer = parseOffer(turned, { needsAudio: true })
    expect(offer.audioFirst).toBe(false)
    expect(writeOffer(offer).indexOf('m=application')).toBeLessThan(writeOffer(offer).indexOf('m=audio'))
  })

  test.each([
    ['nothing', '', /v=0/],
    ['something else', 'hello', /v=0/],
    ['no lines for media', 'v=0\r\ns=-\r\n', /no line for a data channel/],
    ['a line of no form', chromium.replace('s=-', 'hello world'), /of the form/],
    ['no data channel', chromium.slice(0, secondLineAt(chromium)), /no line for a data channel/],
    ['two data channels', chromium + chromium.slice(secondLineAt(chromium)), /more than one application/],
    ['video', `${chromium}m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:2\r\n`, /other media/],
    ['audio without Opus', without(chromium, /opus/), /no Opus/],
    ['Opus that is not among the formats', chromium.replace('SAVPF 111 ', 'SAVPF '), /no Opus/],
    ['audio that is switched off', chromium.replace(/m=audio \d+/, 'm=audio 0'), /switched off/],
    ['no password', without(chromium, /ice-pwd/), /"a=ice-pwd"/],
    ['a password that is too short', chromium.replace(/ice-pwd:\S+/g, 'ice-pwd:short'), /"a=ice-pwd"/],
    ['no user fragment', without(chromium, /ice-ufrag/), /"a=ice-ufrag"/],
    ['no fingerprint', without(chromium, /fingerprint/), /"a=fingerprint"/],
    ['a weak fingerprint', chromium.replace(/sha-256 \S+/g, 'sha-1 AA:BB'), /"a=fingerprint"/],
    ['no BUNDLE', without(chromium, /group:BUNDLE/), /bundle/],
    ['no rtcp-mux', without(chromium, /rtcp-mux/), /rtcp-mux/],
    ['no mid', without(chromium, /a=mid/), /a=mid/],
    ['the same mid twice', chromium.replace('a=mid:1', 'a=mid:0'), /bundle/],
    ['an SCTP port that is none', chromium.replace('sctp-port:5000', 'sctp-port:99999'), /sctp-port/],
    ['a data channel of another kind', chromium.replace('webrtc-datachannel', 'whiteboard'), /not for a data channel/],
  ])('an offer with %s is refused with the reason', (_, sdp, reason) => {
    expect(refusal(sdp)).toMatch(reason)
  })

  test('any changed offer is parsed or refused', () => {
    const lines = chromium.split('\r\n')
    const mutation = fc.record({
      at: fc.nat(lines.length - 1),
      what: fc.constantFrom('drop', 'repeat', 'cut', 'swap', 'replace', 'bits'),
      by: fc.oneof(
        fc.string({ maxLength: 40 }),
        fc.constantFrom('a=mid:', 'm=audio', 'a=candidate:', 'a=ice-pwd:x', 'v=0', '\u0000'),
      ),
      n: fc.nat(60),
    })
    const mutate = (
      sdp: string[],
      { at, what, by, n }: { at: number; what: string; by: string; n: number },
    ): string[] => {
      const line = sdp[at] ?? ''
      if (what === 'drop') return sdp.toSpliced(at, 1)
      if (what === 'repeat') return sdp.toSpliced(at, 0, line)
      if (what === 'cut') return sdp.slice(0, at)
      if (what === 'swap') return sdp.toSpliced(at, 1).toSpliced(n % (sdp.length || 1), 0, line)
      if (what === 'replace') return sdp.toSpliced(at, 1, by)
      return sdp.toSpliced(at, 1, line.slice(0, n) + by + line.slice(n + 1))
    }
    try {
      fc.assert(
        fc.property(fc.array(mutation, { minLength: 1, maxLength: 5 }), (mutations) => {
          const sdp = mutations.reduce(mutate, lines).join('\r\n')
          const needsAudio = true
          if (refusal(sdp) !== 'accepted') return
          const offer = parseOffer(sdp, { needsAudio })
          expect(parseOffer(writeOffer(offer), { needsAudio })).toEqual(offer)
        }),
        { seed, numRuns: 600 },
      )
    } catch (error) {
      console.error(`FC_SEED=${seed}`)
      throw error
    }
  })

  test.each([
    ['candidate:1 1 udp 2122194687 10.1.2.3 5000 typ host', true],
    ['a=candidate:1 1 UDP 2122194687 fd00::1 5000 typ srflx raddr 0.0.0.0 rport 0', true],
    ['candidate:1 1 tcp 2122194687 10.1.2.3 9 typ host tcptype active', false],
    ['candidate:1 1 udp 2122194687 some-name.local 5000 typ host', false],
    ['candidate:1 2 udp 2122194687 10.1.2.3 5000 typ host', false],
    ['candidate:1 1 udp 2122194687 10.1.2.3 0 typ host', false],
    ['candidate:1 1 udp 2122194687 10.1.2.3 70000 typ host', false],
    ['candidate:', false],
    ['', false],
  ])('the candidate "%s" is used: %s', (candidate, used) => {
    expect(usableCandidate(candidate) !== undefined).toBe(used)
  })
})
