import { describeWithPrograms } from '@parlance/testing'
import { recognize, silence } from './describe-recognizer.js'
import { gone, isRunning, openScene } from './pocketsphinx-scene.js'

describeWithPrograms(['pocketsphinx'], 'the processes of a recognizer', () => {
  it('ends a process that hangs, and replaces it', async () => {
    const { recognizer, pids, ready } = await openScene({ finishTimeoutMs: 3_000, cancelTimeoutMs: 200 })
    recognizer.keepWarm?.()
    await ready(2)
    process.kill(pids[1]!, 'SIGSTOP')
    await expect(recognize(recognizer, silence(200))).rejects.toMatchObject({ code: 'upstream_timeout' })
    const next = recognizer.open({ language: 'en', onPartial: () => {} })
    await ready(3)
    expect(isRunning(pids[1]!)).toBe(false)
    expect((await next.finish()).text).toBe('')
    await recognizer.close()
  })

  it('starts no process before a conversation or an utterance, and ends it when no conversation needs it any more', async () => {
    const { recognizer, pids, ready } = await openScene({ maxProcesses: 2, idleMs: 0 })
    expect(pids.map(isRunning)).toEqual([false])
    const release = recognizer.keepWarm!()
    await ready(2)
    release()
    await gone(pids[1]!)
    expect((await recognize(recognizer, silence(200))).text).toBe('')
    await gone(pids[2]!)
    expect(pids).toHaveLength(3)
    await recognizer.close()
  })

  it('starts a process for each conversation that begins, as many as are allowed, before anything is spoken', async () => {
    const { recognizer, pids, ready } = await openScene({ maxProcesses: 3 })
    for (let conversations = 1; conversations <= 5; conversations++) recognizer.keepWarm!()
    await ready(4)
    const utterances = Array.from({ length: 3 }, () => recognize(recognizer, silence(200)))
    expect((await Promise.all(utterances)).map(({ text }) => text)).toEqual(['', '', ''])
    expect(pids).toHaveLength(4)
    await recognizer.close()
  })

  it('keeps idle processes for the conversations in progress, and ends those that no conversation needs', async () => {
    const { recognizer, pids, ready } = await openScene({ maxProcesses: 2, idleMs: 0 })
    const releases = [recognizer.keepWarm!(), recognizer.keepWarm!()]
    await ready(3)
    for (let round = 0; round < 3; round++) expect((await recognize(recognizer, silence(200))).text).toBe('')
    expect(pids.map(isRunning)).toEqual([false, true, true])
    releases[0]!()
    releases[0]!()
    await Promise.race(pids.slice(1).map(gone))
    expect((await recognize(recognizer, silence(200))).text).toBe('')
    expect(pids).toHaveLength(3)
    expect(pids.filter(isRunning)).toHaveLength(1)
    await recognizer.close()
  })

  it('leaves no process behind, and fails utterances in progress', async () => {
    const { recognizer, pids, ready } = await openScene({ maxProcesses: 2 })
    const open = () => recognizer.open({ language: 'en', onPartial: () => {} })
    const underWay = Array.from({ length: 3 }, open)
    await ready(3)
    await recognizer.close()
    expect(pids.map(isRunning)).toEqual([false, false, false])
    for (const recognition of [...underWay, open()]) {
      await expect(recognition.finish()).rejects.toMatchObject({ code: 'draining' })
    }
  })
})
