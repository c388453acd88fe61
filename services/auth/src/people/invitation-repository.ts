import { createHash, randomUUID } from 'node:crypto'
import type { Role } from '@parlance/contracts'
import type { Database } from '@parlance/store'

/** An invitation that is pending and has not expired. */
interface PendingInvitation {
  readonly email: string
  /** Its name. */
  readonly workspace: string
  /** Whether there is a person with this address. */
  readonly has_account: boolean
}

interface NewInvitation {
  readonly id: string
  readonly workspaceId: string
  readonly email: string
  readonly role: Role
  readonly expiresAt: Date
}

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex')

export const createInvitationRepository = (database: Database) => ({
  /** Whether an invitation of this address is pending in any workspace. */
  async isInvited(email: string): Promise<boolean> {
    const rows = await database.query(
      `select from invitations where email = $1 and status = 'pending' and expires_at > now() limit 1`,
      [email.toLowerCase()],
    )
    return rows.length > 0
  },

  async find(invitationId: string): Promise<PendingInvitation | undefined> {
    const [row] = await database.query<PendingInvitation>(
      `select i.email, w.name as workspace, exists (select from people p where p.email = i.email) as has_account
       from invitations i join workspaces w on w.id = i.workspace_id
       where i.id = $1 and i.status = 'pending' and i.expires_at > now()`,
      [invitationId],
    )
    return row
  },

  /** Creates the token that the link of an invitation has besides its id. It cannot be read again. */
  async createToken(invitationId: string): Promise<string> {
    const token = randomUUID()
    await database.query('update invitations set token_digest = $2 where id = $1', [invitationId, digestOf(token)])
    return token
  },

  /** Whether this token is the last one that was made for the invitation. */
  async hasToken(invitationId: string, token: string): Promise<boolean> {
    const rows = await database.query('select from invitations where id = $1 and token_digest = $2', [
      invitationId,
      digestOf(token),
    ])
    return rows.length > 0
  },

  /**
   * Invites for an operator, and ends earlier invitations of this address. Resolves to the token; undefined when there is
   * no such workspace.
   */
  invite: ({ id, workspaceId, email, role, expiresAt }: NewInvitation): Promise<string | undefined> =>
    database.transaction(async (transaction) => {
      await transaction.query(
        `update invitations set status = 'canceled' where workspace_id = $1 and email = $2 and status = 'pending'`,
        [workspaceId, email.toLowerCase()],
      )
      const token = randomUUID()
      const rows = await transaction.query(
        `insert into invitations (id, workspace_id, email, role, status, expires_at, token_digest)
         select $2, id, $3, $4, 'pending', $5, $6 from workspaces where id = $1 returning id`,
        [workspaceId, id, email.toLowerCase(), role, expiresAt, digestOf(token)],
      )
      return rows.length > 0 ? token : undefined
    }),
})

export type InvitationRepository = ReturnType<typeof createInvitationRepository>
