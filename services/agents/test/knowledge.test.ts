import { randomUUID } from 'node:crypto'
import { createClient } from '@parlance/bus'
import { type Agent, type KnowledgeFile, knowledgeContract } from '@parlance/contracts'
import { describeWithPrograms } from '@parlance/testing'
import { readPassages } from '../src/knowledge/file-text.js'
import { callsOfOneWorkspace, type Installation, startInstallation } from './installation.js'
import { pdfOf } from './pdf.js'

const words =
  'pump valve pressure warranty filter motor oil temperature alarm sensor reset cable panel screen battery fuse'.split(
    ' ',
  )

/** A manual of 200 pages in the same few words, with one sentence on page 137 that is nowhere else. */
const manual = pdfOf(
  Array.from({ length: 200 }, (_, page) =>
    Array.from({ length: 40 }, (_, line) =>
      page === 136 && line === 20
        ? 'Error E42 means that the membrane of the pump must be replaced within 90 days.'
        : `${Array.from({ length: 12 }, (_, word) => words[(page * 7 + line * 3 + word * 5) % words.length]).join(' ')}.`,
    ),
  ),
)

describe('the passages of a file', () => {
  const passagesOf = (type: KnowledgeFile['content_type'], text: string) => readPassages(type, Buffer.from(text))

  test('of a web page are its text without navigation, scripts and styles, a line for each block', async () => {
    const page = `<html><head><title>No</title><style>p{}</style></head><body><nav>Home</nav><h1>Returns</h1>
      <p>Within <b>30</b>&nbsp;days &amp; free.</p><script>alert(1)</script><ul><li>One</li><li>Two</li></ul></body></html>`
    expect(await passagesOf('text/html', page)).toEqual([
      { page: null, text: 'Returns\nWithin 30 days & free.\nOne\nTwo' },
    ])
  })

  test('are whole paragraphs, or whole sentences of a long one, of at most 1,000 characters', async () => {
    const sentence = `${'word '.repeat(60)}end. `
    const passages = await passagesOf(
      'text/markdown',
      `# Title\n\nShort.\n\n${sentence.repeat(8)}\n\n${'x'.repeat(2_500)}`,
    )
    for (const { text } of passages) expect(text.length).toBeLessThanOrEqual(1_000)
    expect(passages.map(({ text }) => text.at(-1))).toEqual(['.', '.', '.', 'x', 'x', 'x'])
    expect(passages[0]!.text).toMatch(/^# Title\nShort\.\s?word/)
  })

  test.each([
    ['text/plain', Buffer.from([0xff, 0xfe, 0x41]), 'The text is not UTF-8.'],
    ['text/html', Buffer.from('<p> </p>'), 'The file has no text.'],
    ['application/pdf', Buffer.from('%PDF-1.4 and nothing'), 'The PDF is damaged.'],
    ['application/pdf', pdfOf([[]]), 'The PDF has no text.'],
    ['text/plain', Buffer.from('long '.repeat(500_000)), 'The file has more than 2,000,000 characters'],
  ] as const)('are refused with a reason: %s %#', async (type, content, reason) => {
    await expect(readPassages(type, content)).rejects.toThrow(reason)
  })
})

describeWithPrograms(['postgres'], 'the knowledge of an Agent', () => {
  let installation: Installation
  beforeAll(async () => {
    installation = await startInstallation()
  })
  afterAll(() => installation.stop())

  const { at, create, read, publish, patch } = callsOfOneWorkspace(() => installation.client)
  const client = () => createClient(installation.bus, knowledgeContract)

  const upload = async (
    address: { workspace_id: string; agent_id: string },
    content: Uint8Array,
    fields: Partial<Pick<KnowledgeFile, 'name' | 'content_type'>> = {},
  ): Promise<KnowledgeFile> => {
    let added: KnowledgeFile | undefined
    const request = { ...address, name: 'notes.txt', content_type: 'text/plain' as const, ...fields }
    const call = client().addFile(request, (file) => {
      added = file
    })
    const send = async () => {
      for (let from = 0; from < content.length; from += 32_768) {
        await call.send({ kind: 'part', data: content.subarray(from, from + 32_768) })
      }
      call.send({ kind: 'whole' })
      call.end()
    }
    void send()
    await call.ended
    return added!
  }

  const indexed = async (agent: Agent, { id }: KnowledgeFile): Promise<KnowledgeFile> => {
    for (;;) {
      const file = await client().getFile({ ...at(agent), file_id: id })
      if (file.status !== 'indexing') return file
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  const search = async (agent: Agent, text: string) => {
    const { knowledge_files: file_ids } = await read(agent)
    return (await client().search({ ...at(agent), file_ids, text })).passages
  }

  test('finds the passage of a manual of 200 pages by its rarest words, and names its page', async () => {
    const agent = await create()
    const file = await upload(at(agent), manual, { name: 'manual.pdf', content_type: 'application/pdf' })
    expect(file).toMatchObject({ name: 'manual.pdf', size_bytes: manual.length, status: 'indexing', passages: 0 })
    expect(await indexed(agent, file)).toMatchObject({ status: 'ready', error: null, passages: expect.any(Number) })
    const [best] = await search(agent, 'So, um, the pump shows error E42. What does it mean?')
    expect(best).toMatchObject({ file_id: file.id, title: 'manual.pdf, page 137' })
    expect(best!.text).toContain('Error E42 means that the membrane of the pump must be replaced within 90 days.')
    expect((await search(agent, 'Membranes were replaced'))[0]).toEqual(best)
    for (const text of ['Hello there!', 'the of and', '', "' & | !:* (<->"])
      expect(await search(agent, text)).toEqual([])
  })

  test('is of its own language', async () => {
    const agent = await create({ stt_config: { language: 'de-CH' } })
    await indexed(agent, await upload(at(agent), Buffer.from('Die Häuser haben rote Dächer.')))
    expect(await search(agent, 'Welches Dach hat das Haus?')).toHaveLength(1)
  })

  test('is named by the draft and by the revision that is published, until it is deleted', async () => {
    const agent = await create({ voice_config: { tts_variant: 'standard' } })
    const [one, two] = [await upload(at(agent), Buffer.from('One.')), await upload(at(agent), Buffer.from('Two.'))]
    await Promise.all([indexed(agent, one), indexed(agent, two)])
    expect((await read(agent)).knowledge_files).toEqual([one.id, two.id])
    await publish(agent)
    await client().deleteFile({ ...at(agent), file_id: one.id })
    expect(await read(agent)).toMatchObject({ knowledge_files: [two.id], draft_revision: { version: 4 } })
    const { config } = await installation.client.getPublished(at(agent))
    expect(config.knowledge_files).toEqual([one.id, two.id])
    const found = await client().search({ ...at(agent), file_ids: config.knowledge_files, text: 'one or two' })
    expect(found.passages.map(({ file_id }) => file_id)).toEqual([two.id])
    await expect(client().deleteFile({ ...at(agent), file_id: one.id })).rejects.toMatchObject({ code: 'not_found' })

    await patch(agent, { knowledge_files: [two.id, one.id] })
    expect((await installation.client.checkPublish(at(agent))).warnings).toEqual([
      expect.objectContaining({ field: 'knowledge_files.1', code: 'knowledge_file_not_found' }),
    ])
  })

  test('has files that failed with a reason, and pages of files', async () => {
    const agent = await create()
    const broken = await upload(at(agent), Buffer.from('%PDF-1.4'), { content_type: 'application/pdf' })
    expect(await indexed(agent, broken)).toMatchObject({ status: 'failed', error: 'The PDF is damaged.' })
    const second = await upload(at(agent), Buffer.from('Second.'))
    const first = await client().listFiles({ ...at(agent), limit: 1, order: 'asc' })
    expect(first.files.map(({ id }) => id)).toEqual([broken.id])
    const next = await client().listFiles({ ...at(agent), limit: 1, order: 'asc', cursor: first.next_cursor! })
    expect([next.files.map(({ id }) => id), next.next_cursor]).toEqual([[second.id], null])
  })

  test('has at most 100 files', async () => {
    const agent = await create()
    const { workspace_id, agent_id } = at(agent)
    await installation.database.inWorkspace(workspace_id, (transaction) =>
      transaction.query(
        `insert into knowledge_files (workspace_id, agent_id, name, content_type, size_bytes, status, language)
         select $1, $2, 'x.txt', 'text/plain', 1, 'ready', 'simple' from generate_series(1, 100)`,
        [workspace_id, agent_id],
      ),
    )
    await expect(upload(at(agent), Buffer.from('One more.'))).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('is of no other Agent or workspace, and goes with its Agent', async () => {
    const [agent, other] = [await create(), await create()]
    const file = await upload(at(agent), Buffer.from('A secret word: xylophone.'))
    await indexed(agent, file)
    const request = { file_ids: [file.id], text: 'xylophone' }
    const elsewhere = { ...at(agent), workspace_id: randomUUID() }
    for (const address of [at(other), elsewhere]) {
      expect(await client().search({ ...address, ...request })).toEqual({ passages: [] })
    }
    const notFound = { code: 'agent_not_found' }
    await expect(client().getFile({ ...elsewhere, file_id: file.id })).rejects.toMatchObject(notFound)
    await expect(client().listFiles(elsewhere)).rejects.toMatchObject(notFound)
    await expect(client().deleteFile({ ...elsewhere, file_id: file.id })).rejects.toMatchObject(notFound)
    await expect(upload(elsewhere, Buffer.from('Mine.'))).rejects.toMatchObject(notFound)
    await expect(client().getFile({ ...at(other), file_id: file.id })).rejects.toMatchObject({ code: 'not_found' })

    expect((await client().search({ ...at(agent), ...request })).passages).toHaveLength(1)
    await installation.client.deleteAgent(at(agent))
    const left = await installation.database.acrossWorkspaces((transaction) =>
      transaction.query(
        `select file_id from knowledge_passages where file_id = $1 union all
         select file_id from knowledge_lexemes where file_id = $1 union all
         select id from knowledge_files where id = $1`,
        [file.id],
      ),
    )
    expect(left).toEqual([])
  })
})
