/** Runs in the page before its own scripts, and records what the browser receives of the Agent. */

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
  /** Ends the recording and resolves to it, WebM in Base64. */
  async recording() {
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }))
    recorder.stop()
    await stopped
    return toBase64(new Blob(recorded, { type: 'audio/webm' }))
  },
}
