import { randomUUID } from 'node:crypto'
import type { ListenedPiece } from '@parlance/contracts'
import type { Database, Queryable } from '@parlance/store'
import { describeWithPrograms } from '@parlance/testing'
import { maxListeners } from '../../src/conversation/listen-handler.js'
import type { Transport } from '../../src/media/transport.js'
import { connectClient } from '../fake-client.js'
import { createFakeParts } from '../fake-parts.js'
import { type Installation, startInstallation } from '../installation.js'

const actor = { kind: 'person', id: randomUUID() } as const
const agentFrame = new Int16Array(480).fill(7)

describeWithPrograms(['postgres'], 'a live conversation that is listened to', () => {
  let installation: Installation
  /** Of the conversation that was started last. */
  let transport: Pick<Transport, 'playFrame'>
  /** Whether the audit log can be written to. */
  let isAuditBroken = false

  const wrap = (database: Database): Database => ({
    ...database,
    inWorkspace: (workspaceId, work) =>
      database.inWorkspace(workspaceId, ({ query }: Queryable) =>
        work({
          async query(sql, parameters) {
            if (isAuditBroken && sql.includes('insert into outbox')) throw new Error('the disk is full')
            return query(sql, parameters)
          },
        }),
      ),
  })

  beforeAll(async () => {
    const parts = createFakeParts()
    installation = await startInstallation({
      wrap,
      instances: 2,
      parts: {
        createPlayback(given) {
          transport = given as Pick<Transport, 'playFrame'>
          return parts.createPlayback(given)
        },
      },
    })
  })
  afterAll(() => installation.stop())

  const begin = async () => {
    const workspaceId = await installation.newWorkspace()
    const { session_id } = await installation.start(workspaceId, installation.newAgent())
    const address = { workspace_id: workspaceId, session_id }
    const { instance_id: instance } = await installation.records.findInstance(address)
    const peer = connectClient(installation, address, instance)
    await peer.send({ event: 'client.ready' })
    await peer.event('session.ready')
    return { address, instance, peer, play: transport.playFrame }
  }
  type Begun = Awaited<ReturnType<typeof begin>>

  /** Listens until the stream ends. `room` delays the reader. */
  const listen = ({ address, instance }: Begun, room?: Promise<void>) => {
    const pieces: ListenedPiece[] = []
    const left = new AbortController()
    let wake = () => {}
    const ended = installation.live.listen({ ...address, actor }, { instance })((piece) => {
      pieces.push(piece)
      wake()
      return room
    }, left.signal)
    ended.catch(() => wake())
    return {
      pieces,
      ended,
      leave: () => left.abort(),
      /** Resolves with the pieces when there are so many. */
      async until(count: number) {
        while (pieces.length < count) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
        return pieces
      },
    }
  }
  const auditedOf = (workspaceId: string) =>
    installation.database.inWorkspace(workspaceId, (transaction) =>
      transaction.query<{ payload: object }>(`select payload from outbox where destination = 'audit'`),
    )
  const play100Ms = ({ play }: Begun) => {
    for (let frame = 0; frame < 5; frame++) play(agentFrame)
  }
  /** The channels of a piece: whether each has sound. */
  const soundsIn = ({ data }: ListenedPiece) => {
    const samples = new Int16Array(data.slice().buffer)
    return [0, 1].map((channel) => samples.some((sample, at) => at % 2 === channel && sample !== 0))
  }

  test('has both sides on two channels for each of several members, until it ends, and is in the audit log before', async () => {
    const call = await begin()
    const listeners = [listen(call), listen(call)]
    await Promise.all(listeners.map(({ until }) => until(1)))
    const details = { session_id: call.address.session_id, agent_id: expect.any(String) }
    const entry = { payload: { action: 'conversation.listened', actor, details } }
    expect(await auditedOf(call.address.workspace_id)).toMatchObject([entry, entry])

    // The resampler keeps the end of the first frame.
    const userFrame = new Uint8Array(new Int16Array(480).fill(9_000).buffer)
    for (let frame = 0; frame < 3; frame++) await call.peer.sendAudio(userFrame)
    await call.peer.event('user.speech')
    play100Ms(call)
    for (const { until } of listeners) expect(soundsIn((await until(2))[1]!)).toEqual([true, true])
    play100Ms(call)
    for (const { until } of listeners) expect(soundsIn((await until(3))[2]!)[1]).toBe(true)

    call.peer.hangUp()
    await Promise.all(listeners.map(({ ended }) => ended))
  })

  test('is not affected by a listener that reads nothing, which loses the oldest audio', async () => {
    const call = await begin()
    let read = () => {}
    const room = new Promise<void>((resolve) => {
      read = resolve
    })
    const stalled = listen(call, room)
    await stalled.until(1)
    const quick = listen(call)
    await quick.until(1)
    // Ten seconds of audio: more than the window of the stream and the queue have room for.
    for (let piece = 5; piece <= 100; piece += 5) {
      for (let again = 0; again < 5; again++) play100Ms(call)
      await quick.until(piece + 1)
    }
    await call.peer.say('Hello there')
    await call.peer.event('transcript', (event) => 'role' in event && event.role === 'agent')
    const positions = () => quick.pieces.slice(1).map(({ at_ms }) => at_ms)
    expect(positions().slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, piece) => piece * 100))

    read()
    call.peer.hangUp()
    await Promise.all([stalled.ended, quick.ended])
    const late = stalled.pieces.slice(1).map(({ at_ms }) => at_ms)
    expect(late.length).toBeLessThan(60)
    expect(late.at(-1)).toBe(positions().at(-1))
    expect(late).toEqual([...late].sort((one, other) => one - other))
  })

  test('has no audio for a listener whose entry in the audit log could not be written', async () => {
    const call = await begin()
    isAuditBroken = true
    const refused = listen(call)
    await expect(refused.ended.finally(() => (isAuditBroken = false))).rejects.toMatchObject({ code: 'internal_error' })
    expect(await auditedOf(call.address.workspace_id)).toEqual([])
    call.peer.hangUp()
  })

  test('is found only for its workspace, and not after its end', async () => {
    const call = await begin()
    const { address, instance } = call
    const elsewhere = { ...address, workspace_id: randomUUID() }
    await expect(installation.records.findInstance(elsewhere)).rejects.toMatchObject({ code: 'session_not_found' })
    await expect(listen({ ...call, address: elsewhere }).ended).rejects.toMatchObject({ code: 'session_not_found' })
    const other = ['sessions-0', 'sessions-1'].find((id) => id !== instance)!
    await expect(listen({ ...call, instance: other }).ended).rejects.toMatchObject({ code: 'session_ended' })
    await installation.live.endSession({ ...address, reason: 'api_ended' }, { instance })
    await call.peer.closed
    await expect(installation.records.findInstance(address)).rejects.toMatchObject({ code: 'session_ended' })
    await expect(listen(call).ended).rejects.toMatchObject({ code: 'session_ended' })
    expect(await auditedOf(elsewhere.workspace_id)).toEqual([])
  })

  test('has a maximum of listeners, and accepts another when one has left', async () => {
    const call = await begin()
    const listeners = Array.from({ length: maxListeners }, () => listen(call))
    await Promise.all(listeners.map(({ until }) => until(1)))
    await expect(listen(call).ended).rejects.toMatchObject({ code: 'concurrency_limited' })
    listeners[0]!.leave()
    await listeners[0]!.ended.catch(() => {})
    for (;;) {
      const next = listen(call)
      const outcome = await Promise.race([next.until(1), next.ended.catch(() => 'refused')])
      if (outcome !== 'refused') break
    }
    call.peer.hangUp()
    await Promise.all(listeners.slice(1).map(({ ended }) => ended))
  })
})
