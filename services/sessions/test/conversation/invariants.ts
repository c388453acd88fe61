import { expect, vi } from 'vitest'
import { frameMs } from '../../src/media/transport.js'
import { replay } from './replay.js'
import type { Talk } from './scenario.js'

/** What holds for every conversation that has ended. */
export const expectInvariants = (talk: Talk): void => {
  const { sent, played, kept } = talk
  const names = sent.map(({ event }) => event)
  const at = (name: string) => names.indexOf(name as (typeof names)[number])

  // It ended once, the end was announced once before, and nothing was sent after it.
  expect(talk.ended()).toBeDefined()
  expect(talk.closed()).toBe(1)
  expect(played.closed && played.lateWrites === 0).toBe(true)
  expect(kept.endings).toEqual([talk.ended()!.reason])
  expect(names.filter((name) => name === 'session.ended')).toHaveLength(1)
  expect(at('session.ended')).toBe(names.length - 1)
  expect(names.filter((name) => name === 'session.ending')).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)

  // Speeches follow one another.
  const speeches = played.frames.map(({ speech }) => speech)
  expect(speeches).toEqual(speeches.toSorted((one, other) => one - other))

  // Each segment that was asked for is settled once, in order, for at most its text, and all of that is counted as used.
  expect(talk.tts.settled.map(({ text }) => text)).toEqual(talk.tts.asked)
  expect(talk.tts.settled.filter(({ text, characters }) => characters < 0 || characters > [...text].length)).toEqual([])
  const settledCharacters = talk.tts.settled.reduce((sum, { characters }) => sum + characters, 0)
  expect(kept.usage.tts_characters).toBe(settledCharacters)
  expect(settledCharacters > 0).toBe(played.frames.length > 0)

  // Only what was played is paid for. The first word of a segment also counts when the segment before it has just ended.
  const heard = new Set(played.frames.map(({ sample }) => sample))
  const isComplete = (segment: (typeof talk.tts.settled)[number] | undefined) =>
    segment !== undefined && segment.characters === [...segment.text].length
  const unheard = talk.tts.settled.filter(
    ({ characters }, index, all) => characters > 0 && !heard.has(index + 1) && !isComplete(all[index - 1]),
  )
  expect(unheard).toEqual([])

  // Of a turn nothing is measured before it is committed, and each prepared reply is used or discarded.
  const effects = talk.recording.steps.flatMap((step) => step.effects as readonly { readonly effect: string }[])
  expect(kept.prepared).toHaveLength(effects.filter(({ effect }) => effect === 'reply.prepare').length)

  // A message is kept once, with the text that the client was sent last, and nothing is sent of it after it was final.
  const ids = kept.messages.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  const transcripts = talk.events('transcript')
  for (const id of new Set(transcripts.map((event) => event.id))) {
    const ofIt = transcripts.filter((event) => event.id === id)
    expect(ofIt.filter(({ final }) => final)).toHaveLength(1)
    expect(ofIt.at(-1)!.final).toBe(true)
    expect(kept.messages.find((message) => message.id === id)?.text ?? '').toBe(ofIt.at(-1)!.text)
  }
  expect(ids.every((id) => transcripts.some((event) => event.id === id))).toBe(true)

  // One id names one message in all events; the older names have the same id.
  const spokenIds = new Set(transcripts.filter(({ role }) => role === 'agent').map(({ id }) => id))
  for (const { id, speech_id } of talk.events('alignment')) {
    expect(speech_id).toBe(id)
    expect(spokenIds.has(id)).toBe(true)
  }
  for (const { id, transcript_id } of talk.events('interruption')) {
    expect(transcript_id).toBe(id)
    expect(spokenIds.has(id)).toBe(true)
  }
  const { reason } = talk.ended()!
  expect(talk.events('session.ended')[0]).toMatchObject({ reason, end_reason: reason })

  // Records are sorted by time.
  const times = kept.messages.map(({ created_at }) => created_at)
  expect(times).toEqual([...new Set(times)].sort())

  // After an interruption nothing of the interrupted speech is played or sent.
  for (const { atMs, id, text_heard: playedText } of talk.events('interruption')) {
    const later = sent.slice(sent.findIndex((event) => event.event === 'interruption' && event.id === id) + 1)
    expect(later.some((event) => event.event === 'alignment' && event.id === id)).toBe(false)
    expect(kept.messages.find((message) => message.id === id)?.text ?? '').toBe(playedText)
    const before = played.frames.filter((frame) => frame.atMs <= atMs).at(-1)?.speech
    // One more frame fades it out.
    const after = played.frames.find((frame) => frame.atMs > atMs + frameMs)?.speech
    if (after !== undefined && before !== undefined) expect(after).toBeGreaterThan(before)
  }

  // The recorded events replay to the same effects, also after the recording was stored as JSON.
  const { recording } = talk
  expect(JSON.parse(JSON.stringify(recording.steps))).toEqual(recording.steps)
  expect(replay(JSON.parse(JSON.stringify(recording)))).toEqual(recording.steps)

  // Every tool call ended with the conversation at the latest, and the page was sent none twice.
  expect(talk.calls().filter(({ outcome }) => outcome === 'open')).toEqual([])
  const callIds = talk.events('tool.call').map(({ tool_call_id: id }) => id)
  expect(new Set(callIds).size).toBe(callIds.length)

  // Only tools of the revision are called, in three steps a turn at most, and the model is given no call without its result.
  for (const { messages, tools, mayCall } of talk.llm.requests) {
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
    // After a transfer the last message has the results of the other Agent's calls.
    const from = messages.findLastIndex(({ role, text }) => role === 'user' || text.startsWith('Result of '))
    const steps = messages.slice(from + 1)
    expect(steps.every(({ role }) => role === 'calls')).toBe(true)
    expect(mayCall).toBe(tools.length > 0 && steps.length < 3)
    expect(steps.length).toBeLessThanOrEqual(3)
  }
}
