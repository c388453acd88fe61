/**
 * Runs in the page before its own scripts. The microphone is what a test plays with `microphone.say`, and silent otherwise.
 */

let context
let input

// The context is created only now: before the user has clicked, a browser would not let it play.
MediaDevices.prototype.getUserMedia = async () => {
  context = new AudioContext()
  input = context.createMediaStreamDestination()
  return input.stream
}

globalThis.microphone = {
  /** Plays a file, given in Base64. Resolves to the time at which it has ended. */
  async say(file) {
    const bytes = Uint8Array.from(atob(file), (byte) => byte.charCodeAt(0))
    const source = new AudioBufferSourceNode(context, { buffer: await context.decodeAudioData(bytes.buffer) })
    source.connect(input)
    source.start()
    await new Promise((resolve) => source.addEventListener('ended', resolve, { once: true }))
    return performance.now()
  },
}
