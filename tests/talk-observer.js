/**
 * Runs in the page before its own scripts and observes the events of the server with their times, the loudness of the Agent and
 * the tracks of the microphone. Tests call it as `observed.…`.
 */

const measuredEveryMs = 10
/** Quieter than this counts as silence: a hundredth of full scale. */
const audible = 0.01

const events = []
const loudness = []
const microphones = []
const sent = []

const listenTo = (stream) => {
  const context = new AudioContext()
  const analyser = new AnalyserNode(context, { fftSize: 512 })
  context.createMediaStreamSource(stream).connect(analyser)
  const samples = new Float32Array(512)
  setInterval(() => {
    analyser.getFloatTimeDomainData(samples)
    loudness.push({ atMs: performance.now(), value: Math.max(...samples.map(Math.abs)) })
  }, measuredEveryMs)
}

const { createDataChannel } = RTCPeerConnection.prototype
RTCPeerConnection.prototype.createDataChannel = function (...options) {
  this.addEventListener('track', ({ track }) => listenTo(new MediaStream([track])))
  const channel = createDataChannel.apply(this, options)
  channel.addEventListener('message', ({ data }) => events.push({ atMs: performance.now(), ...JSON.parse(data) }))
  const { send } = channel
  channel.send = (data) => {
    sent.push(JSON.parse(data))
    return send.call(channel, data)
  }
  return channel
}

const { getUserMedia } = MediaDevices.prototype
MediaDevices.prototype.getUserMedia = async function (...options) {
  const stream = await getUserMedia.apply(this, options)
  microphones.push(...stream.getTracks())
  return stream
}

const giveUpAfterMs = 60_000

/** Rejects with the events that have arrived, so that a test that waits in vain says why. */
const until = async (what, found) => {
  const giveUpAtMs = performance.now() + giveUpAfterMs
  while (performance.now() < giveUpAtMs) {
    const value = found()
    if (value !== undefined) return value
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`no ${what} within a minute, but ${JSON.stringify(events)}`)
}
const fits = (event, fields) => Object.entries(fields).every(([name, value]) => event[name] === value)

globalThis.observed = {
  events,
  microphones,
  /** The events that the page has sent. */
  sent,
  /** Resolves to the first event with these fields, once it has arrived. */
  event: (fields, afterMs = 0) =>
    until(JSON.stringify(fields), () => events.find((event) => event.atMs > afterMs && fits(event, fields))),
  /** Resolves to the time of the Agent's first sound after `afterMs`. */
  firstSound: (afterMs = 0) =>
    until('sound', () => loudness.find(({ atMs, value }) => atMs > afterMs && value > audible)?.atMs),
  /** Resolves to the time after which the Agent is silent for `forMs`. */
  silence: (afterMs, forMs) =>
    until('silence', () => {
      const since = loudness.filter(({ atMs }) => atMs >= afterMs)
      const last = since.findLast(({ value }) => value > audible)?.atMs ?? afterMs
      return (since.at(-1)?.atMs ?? 0) - last >= forMs ? last : undefined
    }),
  /** The greatest loudness between two times. */
  loudest: (fromMs, toMs) =>
    Math.max(0, ...loudness.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs).map(({ value }) => value)),
}
