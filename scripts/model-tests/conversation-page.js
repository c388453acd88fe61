/**
 * Runs in the page before its own scripts, after `tests/talk-observer.js`. The microphone is what a test plays with
 * `conversation.say`; what the Agent says is recorded as the browser receives it.
 */

const context = new AudioContext()
const microphone = context.createMediaStreamDestination()
MediaDevices.prototype.getUserMedia = async () => microphone.stream

const recorded = []
let recorder

const { createDataChannel } = RTCPeerConnection.prototype
RTCPeerConnection.prototype.createDataChannel = function (...options) {
  this.addEventListener('track', ({ track }) => {
    recorder = new MediaRecorder(new MediaStream([track]), { mimeType: 'audio/webm;codecs=opus' })
    recorder.addEventListener('dataavailable', ({ data }) => recorded.push(data))
    recorder.start()
  })
  return createDataChannel.apply(this, options)
}

const toBase64 = async (blob) => {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

globalThis.conversation = {
  /** Plays a file, given in Base64, as the microphone. Resolves to the time at which it has ended. */
  async say(file) {
    const bytes = Uint8Array.from(atob(file), (byte) => byte.charCodeAt(0))
    const source = new AudioBufferSourceNode(context, { buffer: await context.decodeAudioData(bytes.buffer) })
    source.connect(microphone)
    source.start()
    await new Promise((resolve) => source.addEventListener('ended', resolve, { once: true }))
    return performance.now()
  },
  /** Ends the recording and resolves to it, WebM in Base64. */
  async recording() {
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }))
    recorder.stop()
    await stopped
    return toBase64(new Blob(recorded, { type: 'audio/webm' }))
  },
}
