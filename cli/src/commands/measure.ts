import { readFile } from 'node:fs/promises'
import type { ConversationTiming } from '@parlance/audio'
import { StartupError } from '@parlance/runtime/process'
import type { Command } from 'commander'
import { addCommand, type OutputOptions, type Runner } from '../command.js'
import { table } from '../table.js'

const rateHz = 24_000

const readTiming = async (path: string): Promise<ConversationTiming> => {
  const [{ soundsOf, timingOf }, { decodeOggOpus }] = await Promise.all([
    import('@parlance/audio'),
    import('@parlance/audio/encoding'),
  ])
  const channels = await readFile(path)
    .then((file) => decodeOggOpus(file, rateHz))
    .catch((cause: Error) => {
      throw new StartupError([`${path} cannot be read: ${cause.message}.`], { cause })
    })
  const [caller, agent] = channels
  if (agent === undefined) {
    throw new StartupError([`${path} has one channel. A recording has two: the caller, then the Agent.`])
  }
  return timingOf(soundsOf(caller!, rateHz), soundsOf(agent, rateHz))
}

const percentile = (values: readonly number[], share: number): number | null =>
  values.toSorted((one, other) => one - other)[Math.ceil(share * values.length) - 1] ?? null

const summaryOf = (values: readonly number[]) => ({
  count: values.length,
  p50: percentile(values, 0.5),
  p95: percentile(values, 0.95),
})

/** Prints times in whole ms. */
const reportOf = ({ replies, interruptions, overlaps }: ConversationTiming) => ({
  voice_to_voice_ms: summaryOf(replies.map(({ voiceToVoiceMs }) => Math.round(voiceToVoiceMs))),
  interruption_to_silence_ms: summaryOf(interruptions.map(({ silentAfterMs }) => Math.round(silentAfterMs))),
  overlap_ms: summaryOf(overlaps.map(({ durationMs }) => Math.round(durationMs))),
  replies: replies.map(({ atMs, voiceToVoiceMs }) => ({
    at_ms: Math.round(atMs),
    voice_to_voice_ms: Math.round(voiceToVoiceMs),
  })),
  interruptions: interruptions.map(({ atMs, silentAfterMs }) => ({
    at_ms: Math.round(atMs),
    silent_after_ms: Math.round(silentAfterMs),
  })),
  overlaps: overlaps.map(({ atMs, durationMs, by }) => ({
    at_ms: Math.round(atMs),
    duration_ms: Math.round(durationMs),
    by,
  })),
})

interface Row {
  readonly atMs: number
  readonly what: string
  readonly ms: number
}

const textOf = (report: ReturnType<typeof reportOf>, width: number | undefined): string => {
  const rows: readonly Row[] = [
    ...report.replies.map((one) => ({ atMs: one.at_ms, what: 'voice to voice', ms: one.voice_to_voice_ms })),
    ...report.interruptions.map((one) => ({
      atMs: one.at_ms,
      what: 'interruption to silence',
      ms: one.silent_after_ms,
    })),
    ...report.overlaps.map((one) => ({ atMs: one.at_ms, what: `overlap, by the ${one.by}`, ms: one.duration_ms })),
  ].toSorted((one, other) => one.atMs - other.atMs)
  if (rows.length === 0) return 'There is no reply, interruption or overlap in this recording.'
  const summaries = Object.entries({
    'voice to voice': report.voice_to_voice_ms,
    'interruption to silence': report.interruption_to_silence_ms,
    overlap: report.overlap_ms,
  })
  return [
    table<Row>(
      [
        { title: 'at s', cell: ({ atMs }) => (atMs / 1000).toFixed(2), align: 'right' },
        { title: 'ms', cell: ({ ms }) => String(ms), align: 'right' },
        { title: 'what', cell: ({ what }) => what },
      ],
      rows,
      width,
    ),
    table<(typeof summaries)[number]>(
      [
        { title: 'all', cell: ([what]) => what },
        { title: 'number', cell: ([, { count }]) => String(count), align: 'right' },
        { title: 'median ms', cell: ([, { p50 }]) => String(p50 ?? '-'), align: 'right' },
        { title: 'p95 ms', cell: ([, { p95 }]) => String(p95 ?? '-'), align: 'right' },
      ],
      summaries,
      width,
    ),
  ].join('\n\n')
}

export const addMeasureCommand = (program: Command, { answerAlone }: Runner): void => {
  addCommand(program, 'measure <file>', 'measure the replies and interruptions in the recording of a conversation', [
    'recording.ogg',
    'recording.ogg --json',
  ]).action((path: string, options: OutputOptions) =>
    answerAlone(options, async () => {
      const report = reportOf(await readTiming(path))
      return { json: report, text: (width) => textOf(report, width) }
    }),
  )
}
