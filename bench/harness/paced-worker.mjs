/**
 * A speech worker without an engine: it serves and offers what a real one does, but makes the frames that the text asks
 * for (`stamped-frames.mjs`). Of a stream that was stopped early it prints `{ stoppedAtMs, text }`.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay, setImmediate as nextTick } from 'node:timers/promises'
import { connectNatsBus, createClient, serve } from '@parlance/bus'
import { catalogContract, ttsContract } from '@parlance/contracts'
import { clockMs, stampedFrame, wishIn } from './stamped-frames.mjs'

const instanceId = randomUUID()
const engine = 'paced'
const since = '2026-01-01T00:00:00.000Z'
const voice = {
  id: '0'.repeat(32),
  display_name: 'Metronome',
  description: 'Sends stamped frames.',
  languages: ['en'],
  gender: 'neutral',
  tags: [],
  preview_url: null,
  license: 'none',
  variants: [
    {
      id: engine,
      display_name: 'Paced',
      sample_rates: [24_000],
      formats: ['pcm_s16le'],
      streaming: true,
      alignment: [],
      credit_per_1k_characters: '0.015',
    },
  ],
  created_at: since,
  updated_at: since,
}

const handlers = {
  async *synthesize({ text, output }, { signal }) {
    const { realTime, frameMs, frames } = wishIn(text)
    const startedMs = clockMs()
    let made = 0
    try {
      yield { event: 'started', output, queue_ms: 0, ttfa_ms: 0 }
      for (; made < frames && !signal.aborted; made++) {
        // Due by the clock and not by the frame before it, so that a late frame does not delay the next one.
        const leftMs = realTime ? startedMs + made * frameMs - clockMs() : 0
        if (leftMs > 0) await delay(leftMs, undefined, { signal })
        // An engine's audio comes through a pipe, one tick of the event loop at a time.
        else await nextTick()
        const [start_ms, data] = [made * frameMs, stampedFrame(frameMs)]
        yield { event: 'audio', seq: made, segment: 0, start_ms, duration_ms: frameMs, data }
      }
      yield { event: 'segment', segment: 0, characters: [...text].length }
      const audioMs = frames * frameMs
      yield { event: 'done', audio_duration_ms: audioMs, characters_billed: [...text].length, ttfa_ms: 0 }
    } finally {
      if (made < frames) console.log(JSON.stringify({ stoppedAtMs: clockMs(), text }))
    }
  },
}

const bus = await connectNatsBus({ url: process.env.NATS_URL, name: 'bench-paced-worker' })
const served = await serve(bus, ttsContract, handlers, { instanceId, lane: engine })
const catalog = createClient(bus, catalogContract)
const offer = () => catalog.voicesOffered.publish({ instance_id: instanceId, engine, part: 0, voices: [voice] })
catalog.voicesWanted.subscribe(offer)
setInterval(offer, 5_000)
offer()

process.once('SIGTERM', async () => {
  await served.stop()
  await bus.close()
  process.exit(0)
})
