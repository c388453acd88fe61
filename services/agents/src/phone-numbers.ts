/** The telephone numbers of workspaces. The auth tokens of their accounts are stored sealed. */
import { randomUUID } from 'node:crypto'
import type { Handlers } from '@parlance/bus'
import type { ModelKeys } from '@parlance/clients/model-keys'
import { addToAuditLog } from '@parlance/clients/outbox'
import {
  type AgentPhoneNumber,
  type AuditEvent,
  maxPhoneNumbers,
  type OpenedPhoneNumber,
  type phoneNumbersContract,
} from '@parlance/contracts'
import type { Database } from '@parlance/store'

interface Row extends Omit<AgentPhoneNumber, 'created_at'> {
  readonly created_at: Date
}

interface SealedRow extends Omit<OpenedPhoneNumber, 'auth_token'> {
  readonly sealed_auth_token: string
}

const columns = 'id, number, agent_id, provider, account_sid, created_at'
const sealedColumns = 'workspace_id, id, number, agent_id, account_sid, sealed_auth_token'

const toNumber = (row: Row): AgentPhoneNumber => ({ ...row, created_at: row.created_at.toISOString() })

const eventOf = (
  action: Extract<AuditEvent['action'], `phone_number.${string}`>,
  { id, number, agent_id }: Row,
  actor: AuditEvent['actor'],
): AuditEvent => ({ action, actor, details: { number_id: id, number, agent_id } })

/** Bounds the work of a request whose signature is not known to be valid. */
const maxEntries = 100

interface PhoneNumbersOptions {
  readonly database: Database
  readonly keys: Pick<ModelKeys, 'open' | 'seal'>
}

export const createPhoneNumberHandlers = ({
  database,
  keys,
}: PhoneNumbersOptions): Handlers<typeof phoneNumbersContract> => {
  const open = async ({ sealed_auth_token, ...row }: SealedRow): Promise<OpenedPhoneNumber> => ({
    ...row,
    auth_token: await keys.open({ workspaceId: row.workspace_id, providerId: row.id }, sealed_auth_token),
  })

  return {
    listNumbers: async ({ workspace_id }) => ({
      numbers: await database.inWorkspace(workspace_id, async (transaction) => {
        const rows = await transaction.query<Row>(
          `select ${columns} from phone_numbers where workspace_id = $1 order by created_at, id`,
          [workspace_id],
        )
        return rows.map(toNumber)
      }),
    }),

    async addNumber({ workspace_id, number: given, actor }, { fail }) {
      const { number, agent_id, provider, account_sid, auth_token } = given
      const id = randomUUID()
      const sealed = await keys.seal({ workspaceId: workspace_id, providerId: id }, auth_token)
      return database.inWorkspace(workspace_id, async (transaction) => {
        // The lock prevents two transactions from counting before either has inserted its row.
        await transaction.query('select pg_advisory_xact_lock(hashtextextended($1, 2))', [workspace_id])
        const [agent] = await transaction.query(
          'select from agents where workspace_id = $1 and id = $2 and deleted_at is null',
          [workspace_id, agent_id],
        )
        if (agent === undefined) return fail('agent_not_found', 'There is no such Agent.')
        const numbers = await transaction.query<{ number: string }>(
          'select number from phone_numbers where workspace_id = $1',
          [workspace_id],
        )
        if (numbers.some((other) => other.number === number)) {
          return fail('invalid_request', 'number: has an Agent already')
        }
        if (numbers.length >= maxPhoneNumbers) {
          return fail('invalid_request', `A workspace can have at most ${maxPhoneNumbers} telephone numbers.`)
        }
        const [row] = await transaction.query<Row>(
          `insert into phone_numbers (workspace_id, id, number, agent_id, provider, account_sid, sealed_auth_token)
           values ($1, $2, $3, $4, $5, $6, $7) returning ${columns}`,
          [workspace_id, id, number, agent_id, provider, account_sid, sealed],
        )
        await addToAuditLog(transaction, workspace_id, eventOf('phone_number.created', row!, actor))
        return toNumber(row!)
      })
    },

    deleteNumber: ({ workspace_id, number_id, actor }, { fail }) =>
      database.inWorkspace(workspace_id, async (transaction) => {
        const [row] = await transaction.query<Row>(
          `delete from phone_numbers where workspace_id = $1 and id = $2 returning ${columns}`,
          [workspace_id, number_id],
        )
        if (row === undefined) return fail('not_found', 'There is no such telephone number.')
        await addToAuditLog(transaction, workspace_id, eventOf('phone_number.deleted', row, actor))
        return {}
      }),

    async openNumbers({ provider, number, account_sid }) {
      const rows = await database.acrossWorkspaces((transaction) =>
        transaction.query<SealedRow>(
          `select ${sealedColumns} from phone_numbers
           where number = $1 and provider = $2 and ($3::text is null or account_sid = $3) order by created_at limit ${maxEntries}`,
          [number, provider, account_sid],
        ),
      )
      const opened = await Promise.allSettled(rows.map(open))
      return { numbers: opened.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])) }
    },

    async openNumber({ workspace_id, number_id }, { fail }) {
      const [row] = await database.inWorkspace(workspace_id, (transaction) =>
        transaction.query<SealedRow>(`select ${sealedColumns} from phone_numbers where workspace_id = $1 and id = $2`, [
          workspace_id,
          number_id,
        ]),
      )
      return row === undefined ? fail('not_found', 'There is no such telephone number.') : open(row)
    },
  }
}
