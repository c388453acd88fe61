import { iterate } from '@parlance/async/push-stream'
import type { SynthesisChunk } from '@parlance/contracts'
import { type SpeechStreamOptions, speechStream } from '../src/index.js'
import { batchesOf } from './scripted-synthesis.js'

export const texts = ['One sentence here.', ' And another, longer one.', ' Three.', ' Four, the last of all.']

export const open = (
  { synthesize }: Pick<SpeechStreamOptions, 'synthesize'>,
  { signal, ...options }: Partial<SpeechStreamOptions> & { signal?: AbortSignal } = {},
) => iterate(speechStream({ batches: batchesOf(texts), synthesize, ...options }), signal)

export const readAll = async (chunks: AsyncIterable<SynthesisChunk>, into: SynthesisChunk[] = []) => {
  for await (const chunk of chunks) into.push(chunk)
  return into
}

export const ofKind = <Event extends SynthesisChunk['event']>(chunks: readonly SynthesisChunk[], event: Event) =>
  chunks.filter((chunk): chunk is Extract<SynthesisChunk, { event: Event }> => chunk.event === event)

export const spokenText = (chunks: readonly SynthesisChunk[]) =>
  ofKind(chunks, 'audio')
    .map(({ data }) => new TextDecoder().decode(data))
    .join('')
