import type { PushStream } from '@parlance/async/push-stream'
import type { SynthesisChunk } from '@parlance/contracts'

/**
 * The same speech with the alignment of each segment before its audio, which waits for it. Engines that make a segment as a whole
 * know both at nearly the same time.
 */
export const alignmentFirst =
  (speech: PushStream<SynthesisChunk>): PushStream<SynthesisChunk> =>
  (sink, signal) => {
    let waiting: SynthesisChunk[] = []
    const release = async (): Promise<void> => {
      const chunks = waiting
      waiting = []
      for (const chunk of chunks) await sink(chunk)
    }
    return speech((chunk) => {
      if (chunk.event === 'audio') return void waiting.push(chunk)
      if (waiting.length === 0) return sink(chunk)
      if (chunk.event === 'alignment') return Promise.resolve(sink(chunk)).then(release)
      return release().then(() => sink(chunk))
    }, signal)
  }
