import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@parlance/bus'
import { type AuditEvent, type Recording, recordingsContract } from '@parlance/contracts'
import { createLogger } from '@parlance/telemetry'
import { describeWithPrograms } from '@parlance/testing'
import { createDueRecordings, startRecordingSweeper } from '../../src/recording/recording-sweeper.js'
import { openFolderStorage } from '../../src/recording/storage/folder-storage.js'
import { connectClient } from '../fake-client.js'
import { type Installation, startInstallation } from '../installation.js'

const settings = { enabled: true, consent_required: false, retention_days: 30 }
const frame = new Uint8Array(960)

describeWithPrograms(['postgres'], 'the recording of a conversation', () => {
  let folder: string
  let installation: Installation
  let recordings: Client<typeof recordingsContract>
  let workspaceId: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parlance-recordings-'))
    installation = await startInstallation({ environment: { RECORDING_FOLDER: folder } })
    recordings = createClient(installation.bus, recordingsContract)
    workspaceId = await installation.newWorkspace()
  })
  afterAll(async () => {
    await installation.stop()
    await rm(folder, { recursive: true })
  })

  const newAgent = async (given: object = {}) => {
    const agentId = installation.newAgent()
    const address = { workspace_id: workspaceId, agent_id: agentId }
    await recordings.putSettings({ ...address, settings: { ...settings, ...given } })
    return agentId
  }
  const begin = async (agentId: string, request: object = {}, endUserId: string | null = null) => {
    const { session_id } = await installation.start(workspaceId, agentId, request, endUserId)
    const address = { workspace_id: workspaceId, session_id }
    const peer = connectClient(installation, address, 'sessions-0')
    await peer.send({ event: 'client.ready' })
    await peer.event('session.ready')
    return { address, peer }
  }
  const recordingOf = async (address: { workspace_id: string; session_id: string }) =>
    (await recordings.getRecording(address)).recording
  const until = async (
    address: { workspace_id: string; session_id: string },
    isSo: (recording: Recording | null) => boolean,
  ): Promise<Recording | null> => {
    for (;;) {
      const recording = await recordingOf(address)
      if (isSo(recording)) return recording
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  /** Talks, hangs up, and resolves when the record is complete. */
  const talk = async ({ address, peer }: Awaited<ReturnType<typeof begin>>) => {
    await peer.sendAudio(frame)
    await peer.say('Hello')
    await peer.event('transcript', (event) => event.event === 'transcript' && event.role === 'agent')
    peer.hangUp()
    while ((await installation.records.getSession(address)).ended_at === null) await new Promise(setImmediate)
    return address
  }
  const stored = async (agentId: string, request: object = {}, endUserId: string | null = null) => {
    const address = await talk(await begin(agentId, request, endUserId))
    return { address, recording: await until(address, (recording) => recording?.state === 'stored') }
  }
  const read = async (address: { workspace_id: string; session_id: string }, start: number, end: number) => {
    const parts: Uint8Array[] = []
    await recordings.readRecording({ ...address, start, end })(
      ({ data }) => void parts.push(data),
      new AbortController().signal,
    )
    return Buffer.concat(parts)
  }
  const files = async () => (await readdir(join(folder, workspaceId)).catch(() => [])).sort()
  const gone = async (sessionId: string) => {
    while ((await files()).some((file) => file.startsWith(sessionId))) await new Promise(setImmediate)
  }

  test('is made only if the Agent records, with audio, and with consent if that is required; otherwise the reason is stored', async () => {
    const off = await talk(await begin(installation.newAgent()))
    expect(await recordingOf(off)).toBeNull()
    const text = await talk(await begin(await newAgent(), { modalities: ['text'] }))
    expect(await recordingOf(text)).toMatchObject({ state: 'not_recorded', failure: 'The conversation had no audio.' })
    const spokenIn = async (address: Awaited<ReturnType<typeof talk>>) =>
      (await installation.records.getSession(address)).usage.tts_characters
    expect(await spokenIn(off)).toBeGreaterThan(0)
    expect(await spokenIn(text)).toBe(0)
    const careful = await newAgent({ consent_required: true })
    for (const metadata of [{}, { recording_consent: false }, { recording_consent: 'true' }]) {
      const address = await talk(await begin(careful, { metadata }))
      const failure = expect.stringMatching(/only with consent.*recording_consent: true/)
      expect(await recordingOf(address)).toMatchObject({ state: 'not_recorded', failure, duration_ms: null })
      await installation.records.deleteSession(address)
      await expect(recordingOf(address)).rejects.toMatchObject({ code: 'session_not_found' })
    }
    const { recording } = await stored(careful, { metadata: { recording_consent: true } })
    expect(recording).toMatchObject({ state: 'stored', failure: null })
  })

  test('is complete at its end, with the positions of messages, and any part of it can be read', async () => {
    const { address, peer } = await begin(await newAgent({ retention_days: 3 }))
    expect(await recordingOf(address)).toMatchObject({ state: 'recording', size_bytes: null, expires_at: null })
    await talk({ address, peer })
    const recording = (await until(address, (found) => found?.state === 'stored'))!
    const { transcript } = await installation.records.getSession(address)
    expect(recording.positions.map(({ message_id }) => message_id)).toEqual(transcript.map(({ id }) => id))
    expect(recording.duration_ms! % 20).toBe(0)
    const days = (Date.parse(recording.expires_at!) - Date.parse(recording.started_at)) / 86_400_000
    expect(Math.round(days)).toBe(3)
    const bytes = await read(address, 0, recording.size_bytes!)
    expect([bytes.length, bytes.subarray(0, 4).toString()]).toEqual([recording.size_bytes, 'OggS'])
    expect(await read(address, 10, 20)).toEqual(bytes.subarray(10, 20))
    const elsewhere = { ...address, workspace_id: randomUUID() }
    await expect(recordings.getRecording(elsewhere)).rejects.toMatchObject({ code: 'session_not_found' })
    await expect(read(elsewhere, 0, 10)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is deleted with its conversation', async () => {
    const { address } = await stored(await newAgent())
    expect(await files()).toContain(`${address.session_id}.ogg`)
    await installation.records.deleteSession(address)
    await expect(recordings.getRecording(address)).rejects.toMatchObject({ code: 'session_not_found' })
    await gone(address.session_id)
    const rows = () =>
      installation.database.acrossWorkspaces((transaction) =>
        transaction.query('select from recordings where session_id = $1', [address.session_id]),
      )
    while ((await rows()).length > 0) await new Promise(setImmediate)
  })

  /** What the outbox has for the audit log of a workspace, oldest first. */
  const auditedIn = async (workspace: string) => {
    const rows = await installation.database.inWorkspace(workspace, (transaction) =>
      transaction.query<{ payload: AuditEvent }>(
        `select payload from outbox where workspace_id = $1 and destination = 'audit' order by created_at, id`,
        [workspace],
      ),
    )
    return rows.map(({ payload }) => payload)
  }

  test('is switched on and off with an entry in the audit log for each change, and none when nothing changes', async () => {
    const workspace = await installation.newWorkspace()
    const actor = { kind: 'person', id: randomUUID() } as const
    const agent_id = randomUUID()
    const put = (given: object) =>
      recordings.putSettings({
        ...{ workspace_id: workspace, agent_id, slug: 'front-desk', actor },
        settings: { ...settings, ...given },
      })
    await Promise.all([put({}), put({})])
    await put({ retention_days: 7 })
    const action = 'recording_settings.changed'
    const now = { agent_id, slug: 'front-desk', recording: 'on', consent: 'not required' }
    expect(await auditedIn(workspace)).toEqual([
      { action, actor, details: { ...now, retention_days: 30, recording_before: 'off', consent_before: 'required' } },
      { action, actor, details: { ...now, retention_days: 7, retention_days_before: 30 } },
    ])
  })

  test('is deleted with one entry in the audit log, and a conversation without a recording with none', async () => {
    const agentId = await newAgent()
    const actor = { kind: 'api_key', id: randomUUID() } as const
    const endUserId = randomUUID()
    const deleted = async () =>
      (await auditedIn(workspaceId)).filter(
        (event) => event.action === 'recording.deleted' && event.actor.id === actor.id,
      )
    const mine = [await stored(agentId, {}, endUserId), await stored(agentId, {}, endUserId)]
    const alone = await stored(agentId)
    const silent = await talk(await begin(await newAgent({ enabled: false })))
    await installation.records.deleteSession({ ...silent, actor })
    expect(await deleted()).toEqual([])
    await installation.records.deleteSession({ ...alone.address, actor })
    const conversation = { session_id: alone.address.session_id, agent_id: agentId, deleted_with: 'its conversation' }
    expect(await deleted()).toEqual([{ action: 'recording.deleted', actor, details: conversation }])
    const ofUser = { workspace_id: workspaceId, end_user_id: endUserId, actor }
    await recordings.deleteOfEndUser(ofUser)
    await recordings.deleteOfEndUser(ofUser)
    await installation.records.deleteSession({ ...mine[0]!.address, actor })
    const data = { end_user_id: endUserId, recordings: 2, deleted_with: 'the data of their end user' }
    expect((await deleted()).slice(1)).toEqual([{ action: 'recording.deleted', actor, details: data }])
  })

  test('is deleted with the data of its end user, also when the conversation is live, and the record stays', async () => {
    const agentId = await newAgent()
    const [endUserId, other] = [randomUUID(), randomUUID()]
    const [mine, theirs] = [await stored(agentId, {}, endUserId), await stored(agentId, {}, other)]
    const live = await begin(agentId, {}, endUserId)
    await recordings.deleteOfEndUser({ workspace_id: randomUUID(), end_user_id: endUserId })
    expect(await recordingOf(mine.address)).toMatchObject({ state: 'stored' })
    await recordings.deleteOfEndUser({ workspace_id: workspaceId, end_user_id: endUserId })
    expect(await recordingOf(mine.address)).toMatchObject({ state: 'deleted' })
    await expect(read(mine.address, 0, 1)).rejects.toMatchObject({ code: 'not_found' })
    await gone(mine.address.session_id)
    expect(await recordingOf(theirs.address)).toMatchObject({ state: 'stored' })
    await talk(live)
    expect(await recordingOf(live.address)).toMatchObject({ state: 'deleted' })
    expect((await installation.records.getSession(mine.address)).transcript).toHaveLength(2)
  })

  /** A sweeper of a process that has just started, until the audio of this conversation is gone. */
  const sweep = async (sessionId: string) => {
    const sweeper = startRecordingSweeper({
      due: createDueRecordings(installation.database),
      storage: await openFolderStorage(folder),
      logger: createLogger({ level: 'silent' }),
    })
    await gone(sessionId)
    await sweeper.stop()
  }
  const change = (assignment: string, sessionId: string) =>
    installation.database.acrossWorkspaces((transaction) =>
      transaction.query(`update recordings set ${assignment} where session_id = $1`, [sessionId]),
    )

  test('that expired while no process ran is deleted by the next one, and others are kept', async () => {
    const agentId = await newAgent()
    const [expired, kept] = [await stored(agentId), await stored(agentId)]
    await change(`expires_at = now() - interval '1 second'`, expired.address.session_id)
    expect(await recordingOf(expired.address)).toMatchObject({ state: 'deleted' })
    await sweep(expired.address.session_id)
    expect(await files()).toContain(`${kept.address.session_id}.ogg`)
    expect(await recordingOf(expired.address)).toMatchObject({ state: 'deleted', positions: [] })
    expect(await recordingOf(kept.address)).toMatchObject({ state: 'stored' })
  })

  test('of a process that stopped without warning is marked as failed, and its audio is deleted', async () => {
    const agentId = await newAgent()
    const [live, { address }] = [await begin(agentId), await stored(agentId)]
    await change(`state = 'recording', started_at = now() - interval '10 minutes'`, address.session_id)
    await installation.database.acrossWorkspaces((transaction) =>
      transaction.query(`update sessions set ended_at = now() - interval '3 minutes' where id = $1`, [
        address.session_id,
      ]),
    )
    await sweep(address.session_id)
    expect(await recordingOf(address)).toMatchObject({ state: 'failed', failure: expect.stringContaining('stopped') })
    expect(await recordingOf(live.address)).toMatchObject({ state: 'recording' })
    await talk(live)
  })

  test('fails, and its conversation does not, when it cannot be stored', async () => {
    const agentId = await newAgent()
    await rm(join(folder, workspaceId), { recursive: true, force: true })
    await writeFile(join(folder, workspaceId), 'not a folder')
    const { address, peer } = await begin(agentId)
    const failed = await until(address, (recording) => recording?.state === 'failed')
    expect(failed).toMatchObject({ failure: 'The audio could not be stored.', duration_ms: null })
    await talk({ address, peer })
    const record = await installation.records.getSession(address)
    expect([record.status, record.transcript.length]).toEqual(['ended', 2])
    expect(await recordingOf(address)).toMatchObject({ state: 'failed' })
    await rm(join(folder, workspaceId))
    await mkdir(join(folder, workspaceId))
  })
})

describeWithPrograms(['postgres'], 'an installation without a storage for recordings', () => {
  test('says so, keeps the settings, and records nothing', async () => {
    const installation = await startInstallation()
    const recordings = createClient(installation.bus, recordingsContract)
    const workspace_id = await installation.newWorkspace()
    const agent_id = installation.newAgent()
    expect(await recordings.getSettings({ workspace_id, agent_id })).toEqual({
      settings: { enabled: false, consent_required: true, retention_days: 30 },
      available: false,
    })
    await recordings.putSettings({ workspace_id, agent_id, settings })
    expect(await recordings.getSettings({ workspace_id, agent_id })).toEqual({ settings, available: false })
    const { session_id } = await installation.start(workspace_id, agent_id)
    expect(await recordings.getRecording({ workspace_id, session_id })).toEqual({ recording: null })
    await installation.stop()
  })
})
