import { codecDelayMs, msToSamples, visemesOfPhoneme } from '@parlance/audio'
import { type AudioEncoder, createAudioEncoder } from '@parlance/audio/encoding'
import type {
  Alignment,
  AlignmentKind,
  AudioOutput,
  SynthesisChunk,
  SynthesisRequest,
  TimedViseme,
} from '@parlance/contracts'
import { countCodePoints, rebaseChunk, roundToTenth } from '@parlance/speech'
import { type AudioChunk, createAudioChunker } from './audio-chunks.js'
import type { SpeechEvent, SpeechMarks } from './engine/engine.js'

/** Encoding a second of these takes longer than speaking it: the output is sent between two pieces. */
const compressed: ReadonlySet<AudioOutput['format']> = new Set(['mp3', 'opus', 'flac'])
const maxCompressedSamples = 4096

interface SynthesisWriterOptions {
  readonly request: SynthesisRequest
  /** The text of each segment, in order. */
  readonly segments: readonly string[]
  readonly inputSampleRateHz: number
  /** When the request came, and when an engine began to speak it, on the clock of `performance`. */
  readonly acceptedMs: number
  readonly startedMs: number
}

/**
 * Creates the chunks of a synthesis from the events of its segments, in order.
 *
 * - Between two segments lies the pause that the first one's punctuation asks for. A completed segment
 *   includes its trailing pause.
 * - A synthesis without any sound has no audio, not even the header of a file.
 */
export class SynthesisWriter {
  readonly #options: SynthesisWriterOptions
  readonly #encoder: AudioEncoder
  readonly #chunker: ReturnType<typeof createAudioChunker>
  readonly #maxSamples: number
  #segment = 0
  #seq = 0
  #ttfaMs = 0
  /** Of the current segment. */
  #beginsAtMs = 0
  #hasSound = false
  #isEncoded = false
  #pauseMs = 0
  #alignment

  /** An encoder takes up to half a megabyte: a request that waits for an engine has none. */
  static async open(options: SynthesisWriterOptions): Promise<SynthesisWriter> {
    const { request, inputSampleRateHz } = options
    return new SynthesisWriter(options, await createAudioEncoder({ output: request.output, inputSampleRateHz }))
  }

  private constructor(options: SynthesisWriterOptions, encoder: AudioEncoder) {
    const { alignment, output } = options.request
    this.#options = options
    this.#encoder = encoder
    this.#chunker = createAudioChunker(encoder, options.inputSampleRateHz)
    this.#maxSamples = compressed.has(output.format) ? maxCompressedSamples : Number.POSITIVE_INFINITY
    this.#alignment = createAlignment(alignment)
  }

  /** The chunks that are due after an event of the current segment; encoded as they are read. */
  *write(event: SpeechEvent): Generator<SynthesisChunk> {
    if (event.kind === 'marks') {
      this.#alignment.add(event)
      this.#pauseMs = event.pauseMs ?? this.#pauseMs
      return
    }
    this.#hasSound = true
    let { pcm } = event
    for (; pcm.length > this.#maxSamples; pcm = pcm.subarray(this.#maxSamples)) {
      yield* this.#audio(this.#chunker.add(pcm.subarray(0, this.#maxSamples)))
    }
    if (event.isLast === true) yield* this.#endAudio(pcm)
    else yield* this.#audio(this.#chunker.add(pcm))
  }

  /** The last chunks of the present segment. */
  *endSegment(): Generator<SynthesisChunk> {
    const { request, segments, inputSampleRateHz } = this.#options
    const segment = this.#segment
    const pauseMs = this.#hasSound ? roundToTenth(this.#pauseMs) : 0
    if (pauseMs > 0 && !this.#isLastSegment()) {
      yield* this.#audio(this.#chunker.flush(new Int16Array(msToSamples(pauseMs, inputSampleRateHz))))
    } else if (!this.#isEncoded && this.#chunker.positionMs() > 0) {
      yield* this.#endAudio()
    }
    if (request.alignment.length > 0) {
      const origin = { ms: this.#beginsAtMs + codecDelayMs(request.output), segment }
      yield rebaseChunk({ event: 'alignment', segment: 0, ...this.#alignment.result() }, origin)
    }
    const characters = countCodePoints(segments[segment]!)
    yield { event: 'segment', segment, characters, ...(pauseMs > 0 && { pause_ms: pauseMs }) }
    this.#segment += 1
    this.#beginsAtMs = this.#chunker.positionMs()
    this.#hasSound = false
    this.#isEncoded = false
    this.#pauseMs = 0
    this.#alignment = createAlignment(request.alignment)
  }

  /** The end of the synthesis. */
  done(): SynthesisChunk {
    return {
      event: 'done',
      audio_duration_ms: roundToTenth(this.#chunker.positionMs()),
      characters_billed: countCodePoints(this.#options.request.text),
      ttfa_ms: this.#ttfaMs,
    }
  }

  close(): void {
    this.#encoder.finish()
  }

  #isLastSegment(): boolean {
    return this.#segment === this.#options.segments.length - 1
  }

  /** The rest of the segment's audio, of which these samples are the last. */
  #endAudio(pcm?: Int16Array): Generator<SynthesisChunk> {
    this.#isEncoded = true
    return this.#audio(this.#isLastSegment() ? this.#chunker.finish(pcm) : this.#chunker.flush(pcm))
  }

  *#audio(chunks: readonly AudioChunk[]): Generator<SynthesisChunk> {
    for (const { start_ms, duration_ms, data } of chunks) {
      if (this.#seq === 0) yield this.#started()
      const from = roundToTenth(start_ms)
      const to = roundToTenth(start_ms + duration_ms)
      yield {
        event: 'audio',
        seq: this.#seq,
        segment: this.#segment,
        start_ms: from,
        duration_ms: roundToTenth(to - from),
        data,
      }
      this.#seq += 1
    }
  }

  #started(): SynthesisChunk {
    const { request, acceptedMs, startedMs } = this.#options
    this.#ttfaMs = roundToTenth(performance.now() - acceptedMs)
    return {
      event: 'started',
      output: request.output,
      queue_ms: roundToTenth(startedMs - acceptedMs),
      ttfa_ms: this.#ttfaMs,
    }
  }
}

/** Collects the marks of one segment, on the clock of its own audio. */
const createAlignment = (wanted: readonly AlignmentKind[]) => {
  const alignment: Alignment = { words: [], phonemes: [], visemes: [] }
  const timesOf = ({ startMs, endMs }: { startMs: number; endMs: number }) => ({
    start_ms: roundToTenth(startMs),
    end_ms: roundToTenth(endMs),
  })

  return {
    add({ words, phonemes }: SpeechMarks) {
      if (wanted.includes('word')) {
        for (const word of words) alignment.words.push({ text: word.text, ...timesOf(word) })
      }
      for (const phoneme of phonemes) {
        if (wanted.includes('phoneme')) alignment.phonemes.push({ text: phoneme.ipa, ...timesOf(phoneme) })
        if (wanted.includes('viseme')) addVisemes(alignment.visemes, phoneme.ipa, timesOf(phoneme))
      }
    },
    result: () => alignment,
  }
}

/** A diphthong moves the mouth twice, each for half of its time; a shape that continues is one longer shape. */
const addVisemes = (
  visemes: TimedViseme[],
  ipa: string,
  { start_ms, end_ms }: { start_ms: number; end_ms: number },
) => {
  const shapes = visemesOfPhoneme(ipa)
  const share = (end_ms - start_ms) / shapes.length
  for (const [index, id] of shapes.entries()) {
    const from = roundToTenth(start_ms + share * index)
    const to = index === shapes.length - 1 ? end_ms : roundToTenth(start_ms + share * (index + 1))
    const previous = visemes.at(-1)
    if (previous?.id === id && previous.end_ms === from) previous.end_ms = to
    else visemes.push({ id, start_ms: from, end_ms: to })
  }
}
