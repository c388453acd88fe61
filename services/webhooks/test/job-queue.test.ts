import { randomUUID } from 'node:crypto'
import type { Database } from '@parlance/store'
import { describeWithPrograms, type TestServer } from '@parlance/testing'
import { type JobQueue, openJobQueue } from '../src/deliveries/job-queue.js'
import { startDatabase } from './scene.js'

describeWithPrograms(['postgres'], 'the queue of jobs', () => {
  let server: TestServer
  let database: Database
  let jobs: JobQueue
  const newJob = () => ({ workspaceId: randomUUID(), deliveryId: randomUUID(), run: 1 })
  const past = () => new Date(Date.now() - 1_000)

  beforeAll(async () => {
    ;({ server, database } = await startDatabase())
    jobs = await openJobQueue(database, 60)
  }, 60_000)
  afterAll(async () => {
    await jobs.close()
    await database.close()
    await server.stop()
  }, 30_000)

  test('has a job if and only if the transaction commits', async () => {
    const job = newJob()
    await database.inWorkspace(job.workspaceId, (transaction) => jobs.schedule(transaction, job, past()))
    const lost = database.transaction(async (transaction) => {
      await jobs.schedule(transaction, newJob(), past())
      throw new Error('the process ends here')
    })
    await expect(lost).rejects.toThrow('the process ends here')
    const taken = await jobs.take(10)
    expect(taken.map((one) => one.job)).toEqual([job])
    await jobs.complete(taken[0]!.id)
  })

  test('gives a job to one taker, and not before it is due', async () => {
    const due = Array.from({ length: 20 }, newJob)
    await database.transaction(async (transaction) => {
      for (const job of due) await jobs.schedule(transaction, job, past())
      await jobs.schedule(transaction, newJob(), new Date(Date.now() + 3_600_000))
    })
    const taken = (await Promise.all([jobs.take(20), jobs.take(20), jobs.take(20)])).flat()
    expect(taken.map(({ job }) => job.deliveryId).sort()).toEqual(due.map(({ deliveryId }) => deliveryId).sort())
    await Promise.all(taken.map(({ id }) => jobs.complete(id)))
    expect(await jobs.take(10)).toEqual([])
  })

  test('makes a job due again that was not completed in its time, and leaves one that may still be worked on', async () => {
    const [lost, worked] = [newJob(), newJob()]
    await database.transaction(async (transaction) => {
      await jobs.schedule(transaction, lost, past())
      await jobs.schedule(transaction, worked, past())
    })
    const taken = await jobs.take(10)
    const lostId = taken.find(({ job }) => job.deliveryId === lost.deliveryId)!.id
    await jobs.recover()
    expect(await jobs.take(10)).toEqual([])
    await database.query(`update job set started_on = now() - interval '61 s' where id = $1`, [lostId])
    await jobs.recover()
    const again = await jobs.take(10)
    expect(again.map(({ job }) => job)).toEqual([lost])
    for (const { id } of taken) await jobs.complete(id)
  })
})
