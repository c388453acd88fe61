import { createPendingWork } from '../src/index.js'

test('work is pending until its end is called', async () => {
  const work = createPendingWork()
  const end = await work.open(async (end) => end)
  const done: string[] = []
  const allDone = work.allDone().then(() => done.push('all'))
  await Promise.resolve()
  done.push('end')
  end()
  await allDone
  expect(done).toEqual(['end', 'all'])
})

test('work that cannot be opened is not pending, and the caller gets the error', async () => {
  const work = createPendingWork()
  await expect(work.open(() => Promise.reject(new Error('no credit')))).rejects.toThrow('no credit')
  await work.allDone()
})
