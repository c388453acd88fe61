/**
 * Parses the offer of a peer (SDP, RFC 8866; JSEP, RFC 9429).
 *
 * - The library gets an offer that is written from the parsed one, so that its own parser never reads text of a peer.
 * - An offer has at most one audio line with Opus and one data channel, over one connection (BUNDLE). Offers with more lines
 *   are refused, since an answer must have the same lines.
 * - Candidates with host names are ignored: they are not needed to connect, and resolving names that peers choose is a risk.
 */
import { isIP, isIPv6 } from 'node:net'
import { ServiceError } from '@parlance/contracts'

export type Direction = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive'

export interface AudioLine {
  readonly mid: string
  /** The payload type of Opus. */
  readonly payloadType: number
  /** Whether the peer uses in-band error correction. */
  readonly correctsErrors: boolean
  /** From the peer's point of view. */
  readonly direction: Direction
}

export interface Offer {
  readonly audio: AudioLine | undefined
  readonly data: { readonly mid: string; readonly sctpPort: number; readonly maxMessageBytes: number }
  /** Whether the audio line is before the data channel. An answer keeps the order. */
  readonly audioFirst: boolean
  readonly iceUfrag: string
  readonly icePwd: string
  readonly fingerprint: string
  readonly setup: string
  /** The `a=candidate` lines without `a=`. */
  readonly candidates: readonly string[]
}

interface Section {
  /** The text after `m=`; empty for the section before the first `m=` line. */
  readonly media: string
  readonly attributes: readonly { readonly name: string; readonly value: string }[]
}

const maxCandidates = 32
const directions: readonly string[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive']

const invalid = (detail: string): ServiceError => new ServiceError('invalid_sdp', detail)

/** Throws `ServiceError('invalid_sdp')` with a detail that names the fault. */
export const parseOffer = (sdp: string, options: { readonly needsAudio: boolean }): Offer => {
  const [session, ...sections] = splitSections(sdp)
  if (session === undefined) throw invalid('The offer does not begin with "v=0".')
  const audioSection = onlySection(sections, 'audio')
  const dataSection = onlySection(sections, 'application')
  if (dataSection === undefined) throw invalid('The offer has no line for a data channel: create "awp-events" first.')
  if (audioSection === undefined && options.needsAudio) {
    throw invalid('The offer has no audio line: add a microphone, or ask for the modality "text" alone.')
  }
  if (sections.length > (audioSection === undefined ? 1 : 2)) {
    throw invalid('The offer has lines for other media than one audio line and one data channel.')
  }
  const audio = audioSection && parseAudio(audioSection)
  const data = parseData(dataSection)
  if (audio !== undefined) checkBundle(session, [audio.mid, data.mid])

  // With BUNDLE the attributes of the first line count. Browsers repeat them in each line; others write them once for all lines.
  const transport = (name: string): string | undefined =>
    [...sections, session].map((section) => attribute(section, name)).find((value) => value !== undefined)
  const required = (name: string, form: RegExp): string => {
    const value = transport(name)
    if (value === undefined) throw invalid(`The offer has no "a=${name}" line.`)
    if (!form.test(value)) throw invalid(`The "a=${name}" line of the offer is not valid.`)
    return value
  }
  return {
    audio,
    data,
    audioFirst: audio !== undefined && sections[0] === audioSection,
    iceUfrag: required('ice-ufrag', /^[A-Za-z0-9+/]{4,256}$/),
    icePwd: required('ice-pwd', /^[A-Za-z0-9+/]{22,256}$/),
    fingerprint: required('fingerprint', /^sha-256 [0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){31}$/i),
    setup: transport('setup') === undefined ? 'actpass' : required('setup', /^(actpass|active|passive)$/),
    candidates: [...new Set(sections.flatMap(candidatesOf))].slice(0, maxCandidates),
  }
}

/** The `mid` of the first line, to which candidates belong. */
export const firstMid = ({ audio, data, audioFirst }: Offer): string => (audio && audioFirst ? audio.mid : data.mid)

/** Writes the offer for the library. */
export const writeOffer = (offer: Offer): string => {
  const { audio, data } = offer
  const transport = [
    'c=IN IP4 0.0.0.0',
    `a=ice-ufrag:${offer.iceUfrag}`,
    `a=ice-pwd:${offer.icePwd}`,
    `a=fingerprint:${offer.fingerprint}`,
    `a=setup:${offer.setup}`,
  ]
  const candidatesOf = (mid: string): string[] =>
    mid === firstMid(offer) ? offer.candidates.map((candidate) => `a=${candidate}`) : []
  const audioLines = audio && [
    `m=audio 9 UDP/TLS/RTP/SAVPF ${audio.payloadType}`,
    ...transport,
    `a=mid:${audio.mid}`,
    `a=${audio.direction}`,
    'a=rtcp-mux',
    `a=rtpmap:${audio.payloadType} opus/48000/2`,
    ...(audio.correctsErrors ? [`a=fmtp:${audio.payloadType} useinbandfec=1`] : []),
    ...candidatesOf(audio.mid),
  ]
  const dataLines = [
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    ...transport,
    `a=mid:${data.mid}`,
    `a=sctp-port:${data.sctpPort}`,
    `a=max-message-size:${data.maxMessageBytes}`,
    ...candidatesOf(data.mid),
  ]
  const others = [data.mid, audio?.mid].filter((mid) => mid !== undefined && mid !== firstMid(offer))
  const session = ['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0']
  const group = `a=group:BUNDLE ${[firstMid(offer), ...others].join(' ')}`
  const media = offer.audioFirst ? [...(audioLines ?? []), ...dataLines] : [...dataLines, ...(audioLines ?? [])]
  return [...session, group, ...media, ''].join('\r\n')
}

/** The candidate without `a=` and extensions; undefined unless it is over UDP and has an IP address. */
export const usableCandidate = (candidate: string): string | undefined => {
  const text = candidate.trim().replace(/^a=/, '')
  const fields = text.split(' ')
  const [foundation = '', component = '', protocol = '', priority = '', address = '', port = '', typ, type = ''] =
    fields
  const isUsable =
    /^candidate:[A-Za-z0-9+/]{1,32}$/.test(foundation) &&
    component === '1' &&
    protocol.toLowerCase() === 'udp' &&
    /^\d{1,10}$/.test(priority) &&
    isIP(address) !== 0 &&
    /^\d{1,5}$/.test(port) &&
    Number(port) > 0 &&
    Number(port) < 65_536 &&
    typ === 'typ' &&
    /^(host|srflx|prflx|relay)$/.test(type)
  return isUsable ? fields.slice(0, 8).join(' ') : undefined
}

const splitSections = (sdp: string): Section[] => {
  const lines = sdp.split(/\r\n|\n/).filter((line) => line !== '')
  if (lines[0] !== 'v=0') return []
  const sections: { media: string; attributes: { name: string; value: string }[] }[] = [{ media: '', attributes: [] }]
  for (const line of lines) {
    if (!/^[a-z]=/.test(line)) throw invalid('The offer has a line that is not of the form "x=…".')
    if (line.startsWith('m=')) sections.push({ media: line.slice(2), attributes: [] })
    if (!line.startsWith('a=')) continue
    const [name = '', ...value] = line.slice(2).split(':')
    sections.at(-1)?.attributes.push({ name, value: value.join(':').trim() })
  }
  return sections
}

const onlySection = (sections: readonly Section[], kind: string): Section | undefined => {
  const found = sections.filter(({ media }) => media.split(' ')[0] === kind)
  if (found.length > 1) throw invalid(`The offer has more than one ${kind} line.`)
  return found[0]
}

const attribute = (section: Section, name: string): string | undefined =>
  section.attributes.find((each) => each.name === name)?.value

/** Port 0 disables a line, except in a line that uses the port of another (`bundle-only`). */
const isSwitchedOff = (section: Section): boolean =>
  section.media.split(' ')[1] === '0' && attribute(section, 'bundle-only') === undefined

const midOf = (section: Section, what: string): string => {
  const mid = attribute(section, 'mid')
  if (mid === undefined || !/^[!-~]{1,32}$/.test(mid))
    throw invalid(`The ${what} of the offer has no valid "a=mid" line.`)
  return mid
}

const parseAudio = (section: Section): AudioLine => {
  const [, , , ...formats] = section.media.split(' ')
  if (isSwitchedOff(section)) throw invalid('The audio line of the offer is switched off.')
  const opus = section.attributes.find(
    ({ name, value }) =>
      name === 'rtpmap' && /^\d{1,3} opus\/48000\/2$/i.test(value) && formats.includes(value.split(' ')[0] ?? ''),
  )
  const payloadType = Number.parseInt(opus?.value ?? '', 10)
  if (!(payloadType <= 127)) throw invalid('The audio line of the offer has no Opus.')
  if (attribute(section, 'rtcp-mux') === undefined)
    throw invalid('The audio line of the offer has no "a=rtcp-mux" line.')
  const direction = section.attributes.find(({ name }) => directions.includes(name))?.name ?? 'sendrecv'
  const correctsErrors = section.attributes.some(
    ({ name, value }) =>
      name === 'fmtp' && value.startsWith(`${payloadType} `) && /[ ;]useinbandfec=1\s*(;|$)/.test(value),
  )
  return { mid: midOf(section, 'audio line'), payloadType, correctsErrors, direction: direction as Direction }
}

const parseData = (section: Section): Offer['data'] => {
  const [, , protocol = '', format] = section.media.split(' ')
  if (isSwitchedOff(section) || !/^(UDP\/)?DTLS\/SCTP$/.test(protocol) || format !== 'webrtc-datachannel') {
    throw invalid('The application line of the offer is not for a data channel.')
  }
  const number = (name: string, fallback: number): number => {
    const value = attribute(section, name) ?? String(fallback)
    if (!/^\d{1,12}$/.test(value)) throw invalid(`The "a=${name}" line of the offer is not a number.`)
    return Number(value)
  }
  const sctpPort = number('sctp-port', 5000)
  if (sctpPort < 1 || sctpPort > 65_535) throw invalid('The "a=sctp-port" line of the offer is not a port.')
  const maxMessageBytes = Math.min(number('max-message-size', 65_536), 262_144)
  return { mid: midOf(section, 'data channel'), sctpPort, maxMessageBytes }
}

const checkBundle = (session: Section, mids: readonly string[]): void => {
  const groups = session.attributes.filter(({ name, value }) => name === 'group' && value.startsWith('BUNDLE '))
  const bundled = groups.some(({ value }) => mids.every((mid) => value.split(' ').includes(mid)))
  if (!bundled || mids[0] === mids[1])
    throw invalid('The offer does not bundle audio and data channel in one connection.')
}

const candidatesOf = (section: Section): string[] =>
  section.attributes
    .filter(({ name }) => name === 'candidate')
    .map(({ value }) => usableCandidate(`candidate:${value}`))
    .filter((candidate) => candidate !== undefined)

/**
 * Replaces the machine's own addresses in an answer by `address`: behind a NAT and in a container a peer cannot use them. One
 * candidate is left for each port.
 */
export const announceAddress = (answer: string, address: string): string => {
  const announced = new Set<string>()
  const lines: string[] = []
  for (const line of answer.split('\r\n')) {
    const fields = line.split(' ')
    if (line.startsWith('c=IN ')) {
      lines.push(`c=IN ${isIPv6(address) ? 'IP6' : 'IP4'} ${address}`)
    } else if (!line.startsWith('a=candidate:')) {
      lines.push(line)
    } else if (!announced.has(fields[5] ?? '')) {
      announced.add(fields[5] ?? '')
      lines.push([...fields.slice(0, 4), address, ...fields.slice(5)].join(' '))
    }
  }
  return lines.join('\r\n')
}
