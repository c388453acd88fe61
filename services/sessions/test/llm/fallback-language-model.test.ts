import { ServiceError } from '@parlance/contracts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFallbackLanguageModel } from '../../src/llm/fallback-language-model.js'
import type { LanguageModel } from '../../src/llm/language-model.js'
import { readReply } from './model-scene.js'

const failure = new ServiceError('upstream_error', 'The language model failed. Try again.')

/** Replies with `texts`, then fails if a failure is given. */
const speaker = (texts: readonly string[], error?: () => Error | undefined) => {
  let asked = 0
  const model: LanguageModel = {
    async *reply() {
      asked++
      for (const text of texts) yield { event: 'text', text }
      const thrown = error?.()
      if (thrown !== undefined) throw thrown
      yield { event: 'done', inputTokens: 1, outputTokens: texts.length }
    },
  }
  return { model, asked: () => asked }
}

const scene = (main: ReturnType<typeof speaker>) => {
  const other = speaker(['Other.'])
  const onFailure = vi.fn<(failure: ServiceError) => void>()
  return {
    other,
    onFailure,
    pass: (ms: number) => void vi.advanceTimersByTime(ms),
    model: createFallbackLanguageModel({ model: main.model, fallback: other.model, onFailure }),
  }
}

describe('a model with a fallback', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('the reply of the model is used, and the fallback gets no request', async () => {
    const { model, other, onFailure } = scene(speaker(['Main.']))
    expect((await readReply(model)).texts).toEqual(['Main.'])
    expect(other.asked()).toBe(0)
    expect(onFailure).not.toHaveBeenCalled()
  })

  test('an empty reply is a reply', async () => {
    const { model, other } = scene(speaker([]))
    expect(await readReply(model)).toMatchObject({ texts: [], last: { event: 'done' } })
    expect(other.asked()).toBe(0)
  })

  test('the fallback replies for a model that fails before its first text, which is reported', async () => {
    const { model, onFailure } = scene(speaker([], () => failure))
    expect(await readReply(model)).toMatchObject({ texts: ['Other.'], last: { event: 'done' }, error: undefined })
    expect(onFailure.mock.calls).toEqual([[failure]])
  })

  test('a model that fails after its first text is not replaced: a reply comes from one model', async () => {
    const { model, other } = scene(speaker(['Main'], () => failure))
    expect(await readReply(model)).toMatchObject({ texts: ['Main'], error: failure })
    expect(other.asked()).toBe(0)
  })

  test('an interruption is not a failure', async () => {
    const interruption = new AbortController()
    const main = speaker([], () => {
      interruption.abort(new Error('interrupted'))
      return interruption.signal.reason
    })
    const { model, other } = scene(main)
    expect((await readReply(model, {}, interruption.signal)).error).toBe(interruption.signal.reason)
    expect(other.asked()).toBe(0)
  })

  test('after three consecutive failures the model is skipped for some time, then one reply tries it again', async () => {
    const main = speaker([], () => failure)
    const { model, onFailure, pass } = scene(main)
    for (let i = 0; i < 3; i++) await readReply(model)
    expect(main.asked()).toBe(3)
    expect((await readReply(model)).texts).toEqual(['Other.'])
    expect(main.asked()).toBe(3)
    expect(onFailure).toHaveBeenCalledTimes(3)

    pass(15_000)
    await Promise.all([readReply(model), readReply(model)])
    expect(main.asked()).toBe(4)
  })

  test('a model that replies again is used again', async () => {
    let failing = true
    const main = speaker([], () => (failing ? failure : undefined))
    const { model, other, pass } = scene(main)
    for (let i = 0; i < 3; i++) await readReply(model)
    failing = false
    pass(15_000)
    await readReply(model)
    await readReply(model)
    expect(main.asked()).toBe(5)
    expect(other.asked()).toBe(3)
  })

  test('failures that are not consecutive do not disable the model', async () => {
    let replies = 0
    const main = speaker([], () => (replies++ % 2 === 0 ? failure : undefined))
    const { model } = scene(main)
    for (let i = 0; i < 8; i++) await readReply(model)
    expect(main.asked()).toBe(8)
  })
})
