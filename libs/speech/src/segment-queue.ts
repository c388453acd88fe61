/**
 * Segments on their way from the text to the voice.
 *
 * - What has been waiting is handed out together: a voice sounds best over a few sentences, and each segment costs something
 *   to ask for. The first is never kept for others, and none is longer than twice what was handed out before it, so that
 *   what is heard meanwhile covers its making, nor longer than `maxSegmentLength`.
 * - Joined, what is handed out and what is left are what was put in, verbatim and in order.
 */
import { maxSegmentLength } from './segment-cutter.js'
import type { Segment } from './segmenter.js'

export interface SegmentQueue extends AsyncIterable<Segment> {
  push(segments: readonly Segment[]): void
  /** What comes after this is not joined with what came before. */
  part(): void
  /** Nothing more comes. */
  end(): void
  /** What has not been handed out. */
  left(): Segment[]
}

export interface SegmentQueueOptions {
  /** Whether segments may be handed out together. */
  readonly joins: boolean
}

export const createSegmentQueue = ({ joins }: SegmentQueueOptions): SegmentQueue => {
  /** Segments that may be joined are in one group. */
  const groups: Segment[][] = [[]]
  let handedOut = 0
  let ended = false
  let wake = () => {}

  const take = (): Segment | undefined => {
    while (groups.length > 1 && groups[0]!.length === 0) groups.shift()
    const group = groups[0]!
    const first = group.shift()
    if (first === undefined) return undefined
    const mostLength = joins ? Math.min(maxSegmentLength, 2 * handedOut) : 0
    let { text, speakable } = first
    while (group[0] !== undefined && text.length + group[0].text.length <= mostLength) {
      const next = group.shift()!
      text += next.text
      speakable ||= next.speakable
    }
    handedOut += text.length
    return { text, speakable }
  }

  return {
    push(segments) {
      groups.at(-1)!.push(...segments)
      wake()
    },
    part() {
      if (groups.at(-1)!.length > 0) groups.push([])
    },
    end() {
      ended = true
      wake()
    },
    left: () => groups.flat(),

    async *[Symbol.asyncIterator]() {
      for (;;) {
        const segment = take()
        if (segment !== undefined) yield segment
        else if (ended) return
        else
          await new Promise<void>((resolve) => {
            wake = resolve
          })
      }
    },
  }
}
