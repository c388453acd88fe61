import { type KnowledgeFile, type KnowledgePassage, ServiceError } from '@parlance/contracts'
import { type Database, type Page, type PageRequest, pageByTime, type Queryable, timeOrder } from '@parlance/store'
import type { CutPassage } from './file-text.js'

/** The content of a file that is to be indexed. */
export interface DueFile {
  readonly workspaceId: string
  readonly id: string
  readonly contentType: KnowledgeFile['content_type']
  readonly content: Uint8Array
  /** With this one. */
  readonly attempts: number
}

type NewFile = Pick<KnowledgeFile, 'name' | 'content_type'> & {
  readonly content: Uint8Array
  /** In which the user speaks, a BCP 47 tag. */
  readonly language: string
}

interface FileRow extends Omit<KnowledgeFile, 'created_at'> {
  created_at: Date
}

const fileColumns = 'id, name, content_type, size_bytes, status, error, passages, created_at'
const toFile = ({ created_at, ...row }: FileRow): KnowledgeFile => ({ ...row, created_at: created_at.toISOString() })

const maxFiles = 100

/** The name that Postgres has for the words of a language, such as `german`. */
const nameOfLanguage = (tag: string): string =>
  (new Intl.DisplayNames(['en'], { type: 'language' }).of(tag.split('-')[0]!) ?? '').toLowerCase()

/** To be called while the Agent is locked. Throws `invalid_request` when the Agent has the maximum of files. */
export const insertFile = async (
  transaction: Queryable,
  workspaceId: string,
  agentId: string,
  { name, content_type, content, language }: NewFile,
): Promise<KnowledgeFile> => {
  const [row] = await transaction.query<FileRow>(
    `insert into knowledge_files (workspace_id, agent_id, name, content_type, size_bytes, content, language)
     select $1, $2, $3, $4, $5, $6, coalesce(
       (select cfgname from pg_catalog.pg_ts_config
        where cfgname = $7 and cfgnamespace = 'pg_catalog'::regnamespace), 'simple')
     where (select count(*) from knowledge_files where workspace_id = $1 and agent_id = $2) < ${maxFiles}
     returning ${fileColumns}`,
    [workspaceId, agentId, name, content_type, content.length, Buffer.from(content), nameOfLanguage(language)],
  )
  if (row === undefined) {
    throw new ServiceError('invalid_request', `An Agent has at most ${maxFiles} files. Delete one first.`)
  }
  return toFile(row)
}

/** Resolves to false when the Agent has no such file. Without `fileId` all files are deleted. */
export const deleteFiles = async (
  transaction: Queryable,
  workspaceId: string,
  agentId: string,
  fileId?: string,
): Promise<boolean> => {
  const deleted = await transaction.query(
    `delete from knowledge_files
     where workspace_id = $1 and agent_id = $2 and ($3::uuid is null or id = $3) returning id`,
    [workspaceId, agentId, fileId ?? null],
  )
  return deleted.length > 0
}

const maxFound = 4
const passagesPerInsert = 500

export const createKnowledgeRepository = (database: Database) => ({
  find: (workspaceId: string, agentId: string, fileId: string): Promise<KnowledgeFile | undefined> =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [row] = await transaction.query<FileRow>(
        `select ${fileColumns} from knowledge_files where workspace_id = $1 and agent_id = $2 and id = $3`,
        [workspaceId, agentId, fileId],
      )
      return row && toFile(row)
    }),

  /** By time of creation. */
  async list(workspaceId: string, agentId: string, { limit, ...page }: PageRequest): Promise<Page<KnowledgeFile>> {
    const { createdUs, isAfter, orderBy, values } = timeOrder(page, 'f', 3)
    return database.inWorkspace(workspaceId, async (transaction) => {
      const rows = await transaction.query<FileRow & { created_us: number }>(
        `select ${fileColumns}, ${createdUs} from knowledge_files f
         where workspace_id = $1 and agent_id = $2 and ${isAfter} ${orderBy} limit $5`,
        [workspaceId, agentId, ...values, limit + 1],
      )
      return pageByTime(rows, { limit, toItem: toFile })
    })
  },

  /** The states of those of the files that the Agent has. */
  statesOf: (
    workspaceId: string,
    agentId: string,
    fileIds: readonly string[],
  ): Promise<Pick<KnowledgeFile, 'id' | 'name' | 'status'>[]> =>
    database.inWorkspace(workspaceId, (transaction) =>
      transaction.query(
        'select id, name, status from knowledge_files where workspace_id = $1 and agent_id = $2 and id = any($3)',
        [workspaceId, agentId, fileIds],
      ),
    ),

  /**
   * A passage is as good as the words that it shares with the text are rare: a word counts ln(1 + passages / passages with it).
   * Passages with less than half of what the best has are left out.
   */
  search: (
    workspaceId: string,
    agentId: string,
    fileIds: readonly string[],
    text: string,
  ): Promise<KnowledgePassage[]> =>
    database.inWorkspace(workspaceId, (transaction) =>
      transaction.query(
        `with files as (
           select id, name, language, passages from knowledge_files
           where workspace_id = $1 and agent_id = $2 and id = any($3) and status = 'ready'
         ), asked as materialized (
           select language, lexeme from (select distinct language from files) l,
             unnest(to_tsvector(language::regconfig, $4))
         ), hits as materialized (
           select k.file_id, k.lexeme, k.passages
           from files f join asked a using (language)
           cross join lateral (
             -- The offset keeps the planner from another order, which it would choose before the table is analyzed.
             select * from knowledge_lexemes
             where workspace_id = $1 and file_id = f.id and lexeme = a.lexeme offset 0
           ) k
         ), weights as materialized (
           select lexeme, ln(1 + (select sum(passages) from files)::float8 / sum(cardinality(passages))) as weight
           from hits group by lexeme
         ), scores as (
           select file_id, position, sum(weight) as score
           from hits join weights using (lexeme), unnest(hits.passages) as position
           group by file_id, position
           order by score desc, file_id, position limit ${maxFound}
         )
         select f.id as file_id, f.name || coalesce(', page ' || p.page, '') as title, p.text
         from scores s join files f on f.id = s.file_id
         join knowledge_passages p on p.workspace_id = $1 and p.file_id = s.file_id and p.position = s.position
         where s.score >= (select max(score) from scores) / 2
         order by s.score desc, s.file_id, s.position`,
        [workspaceId, agentId, fileIds, text.replaceAll('\0', '')],
      ),
    ),

  /** The oldest file that is due, of any workspace. It is due again after `leaseMs`. */
  take: (leaseMs: number): Promise<DueFile | undefined> =>
    database.acrossWorkspaces(async (transaction) => {
      const [row] = await transaction.query<{
        workspace_id: string
        id: string
        content_type: KnowledgeFile['content_type']
        content: Buffer
        attempts: number
      }>(
        `update knowledge_files
         set attempts = attempts + 1, due_at = clock_timestamp() + $1 * interval '1 millisecond'
         where (workspace_id, id) in (
           select workspace_id, id from knowledge_files where status = 'indexing' and due_at <= clock_timestamp()
           order by due_at limit 1 for update skip locked)
         returning workspace_id, id, content_type, content, attempts`,
        [leaseMs],
      )
      return (
        row && {
          workspaceId: row.workspace_id,
          id: row.id,
          contentType: row.content_type,
          content: row.content,
          attempts: row.attempts,
        }
      )
    }),

  /** Makes the file ready. Does nothing when it was deleted. */
  index: ({ workspaceId, id }: DueFile, passages: readonly CutPassage[]): Promise<void> =>
    database.inWorkspace(workspaceId, async (transaction) => {
      const [file] = await transaction.query<{ language: string }>(
        `update knowledge_files set status = 'ready', passages = $3, content = null
         where workspace_id = $1 and id = $2 and status = 'indexing' returning language`,
        [workspaceId, id, passages.length],
      )
      if (file === undefined) return
      for (let from = 0; from < passages.length; from += passagesPerInsert) {
        const part = passages.slice(from, from + passagesPerInsert)
        await transaction.query(
          `insert into knowledge_passages (workspace_id, file_id, position, page, text)
           select $1, $2, * from unnest($3::int[], $4::int[], $5::text[])`,
          [
            workspaceId,
            id,
            part.map((_, index) => from + index),
            part.map(({ page }) => page),
            part.map(({ text }) => text),
          ],
        )
      }
      await transaction.query(
        `insert into knowledge_lexemes (workspace_id, file_id, lexeme, passages)
         select $1, $2, lexeme, array_agg(position)
         from knowledge_passages p, unnest(to_tsvector($3::regconfig, p.text))
         where workspace_id = $1 and file_id = $2 group by lexeme`,
        [workspaceId, id, file.language],
      )
    }),

  fail: ({ workspaceId, id }: DueFile, error: string): Promise<void> =>
    database.inWorkspace(workspaceId, async (transaction) => {
      await transaction.query(
        `update knowledge_files set status = 'failed', error = $3, content = null
         where workspace_id = $1 and id = $2 and status = 'indexing'`,
        [workspaceId, id, error],
      )
    }),
})

export type KnowledgeRepository = ReturnType<typeof createKnowledgeRepository>
