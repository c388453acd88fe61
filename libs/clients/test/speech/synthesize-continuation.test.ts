import { ServiceError } from '@parlance/contracts'
import { cutText } from '@parlance/speech'
import { spoken, withoutMeasuredTimes } from './scripted-speech.js'
import { createWorkers, request, type Synthesize } from './synthesize-scene.js'

describe('a synthesis of several segments, whose worker is lost', () => {
  const { startWorker, stopAll, read } = createWorkers()
  const [text, cuts] = ['One. Two. Three. Four.', [4, 9, 16]]
  const asked = { ...request, text, cuts }
  const collect = () => read({}, asked)
  /** A worker that is lost after the given numbers of chunks, one for each request. */
  const lostAfter = (...counts: number[]): Synthesize =>
    async function* (one) {
      const max = counts.shift() ?? Number.POSITIVE_INFINITY
      let count = 0
      for await (const chunk of spoken(one)) {
        if (count++ === max) throw new ServiceError('unavailable', 'Lost.')
        yield chunk
      }
    }

  test('between two of them, is continued by another worker without an audible difference', async () => {
    await startWorker()
    const whole = await collect()
    await stopAll()

    const texts: string[] = []
    // `started` and two of each segment.
    const lossy = lostAfter(1 + 2 * 2)
    await startWorker((one, context) => {
      texts.push(cutText(one.text, one.cuts!).join('|'))
      return lossy(one, context)
    })
    expect(withoutMeasuredTimes(await collect())).toEqual(withoutMeasuredTimes(whole))
    expect(texts).toEqual(['One.| Two.| Three.| Four.', ' Three.| Four.'])
  })

  test('fails when a second worker is lost, so that a text that crashes workers does not reach all of them', async () => {
    const worker = await startWorker(lostAfter(3, 3, 3))
    await expect(collect()).rejects.toMatchObject({ code: 'unavailable' })
    expect(worker.asked).toBe(2)
  })

  test('is not continued when its engine failed between two of them', async () => {
    const worker = await startWorker(async function* (one) {
      for await (const chunk of spoken(one)) {
        yield chunk
        if (chunk.event === 'segment') throw new ServiceError('upstream_error', 'The engine failed.')
      }
    })
    await expect(collect()).rejects.toMatchObject({ code: 'upstream_error' })
    expect(worker.asked).toBe(1)
  })
})
