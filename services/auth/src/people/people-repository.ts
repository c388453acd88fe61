import {
  type MemberPrincipal,
  type Membership,
  type Person,
  type Role,
  ServiceError,
  type WorkspaceMember,
} from '@parlance/contracts'
import type { Database, Queryable } from '@parlance/store'

/** The maximum number of listed members of a workspace, and of workspaces of a person. */
const maxListed = 1_000

const person = 'p.id, p.email, p.name'

/** `key_id` is null while the requests of a member have no key to be attributed to. */
type MemberRow = Omit<MemberPrincipal, 'key_id'> & { key_id: string | null }

const memberOf = async (queryable: Queryable, workspaceId: string, personId: string) => {
  const [row] = await queryable.query<MemberRow>(
    `select k.id as key_id, m.workspace_id, m.person_id, m.role, w.capabilities, w.suspended
     from members m join workspaces w on w.id = m.workspace_id
       left join api_keys k on k.workspace_id = m.workspace_id and k.person_id = m.person_id and k.revoked_at is null
     where m.workspace_id = $1 and m.person_id = $2`,
    [workspaceId, personId],
  )
  return row
}

const hasKey = (member: MemberRow): member is MemberPrincipal => member.key_id !== null

export const createPeopleRepository = (database: Database) => ({
  async findByEmail(email: string): Promise<Person | undefined> {
    const [row] = await database.query<Person>(`select ${person} from people p where email = $1`, [email.toLowerCase()])
    return row
  },

  /** Whether it was proven that the person has the address. */
  async isVerified(personId: string): Promise<boolean> {
    const [row] = await database.query<{ email_verified: boolean }>('select email_verified from people where id = $1', [
      personId,
    ])
    return row?.email_verified === true
  },

  /** The first 1,000, oldest membership first. */
  membershipsOf: (personId: string): Promise<Membership[]> =>
    database.query<Membership>(
      `select w.id, w.name, w.capabilities, w.suspended, m.role
       from members m join workspaces w on w.id = m.workspace_id where m.person_id = $1
       order by m.created_at, m.id limit ${maxListed}`,
      [personId],
    ),

  /** The person as the caller of requests for this workspace; undefined for one who is not a member. */
  async findMember(workspaceId: string, personId: string): Promise<MemberPrincipal | undefined> {
    const found = await memberOf(database, workspaceId, personId)
    if (found === undefined || hasKey(found)) return found
    // The lock orders this and the end of the membership: a key is never created after it has ended.
    return database.transaction(async (transaction) => {
      await transaction.query(
        `insert into api_keys (workspace_id, person_id, label, prefix)
         select m.workspace_id, m.person_id, p.name, '' from members m join people p on p.id = m.person_id
         where m.workspace_id = $1 and m.person_id = $2 for share of m
         on conflict do nothing`,
        [workspaceId, personId],
      )
      const member = await memberOf(transaction, workspaceId, personId)
      return member !== undefined && hasKey(member) ? member : undefined
    })
  },

  /** Gives a person this role in a workspace, or replaces the current role. False when there is no such workspace. */
  async setRole(workspaceId: string, personId: string, role: Role): Promise<boolean> {
    const rows = await database.query(
      `insert into members (workspace_id, person_id, role, created_at) select id, $2, $3, now() from workspaces where id = $1
       on conflict (workspace_id, person_id) do update set role = $3 returning id`,
      [workspaceId, personId, role],
    )
    return rows.length > 0
  },

  /** The first 1,000, oldest membership first. */
  members: (workspaceId: string): Promise<WorkspaceMember[]> =>
    database.query<WorkspaceMember>(
      `select ${person}, m.role,
         exists (select from people_accounts a where a.person_id = p.id and a.password is not null) as has_password
       from members m join people p on p.id = m.person_id
       where m.workspace_id = $1 order by m.created_at, m.id limit ${maxListed}`,
      [workspaceId],
    ),

  /** Also revokes the key of the member. False when the person was not a member. */
  async removeMember(workspaceId: string, personId: string): Promise<boolean> {
    const rows = await database.query('delete from members where workspace_id = $1 and person_id = $2 returning id', [
      workspaceId,
      personId,
    ])
    return rows.length > 0
  },

  async countSessions(personId: string): Promise<number> {
    const [row] = await database.query<{ count: number }>(
      'select count(*)::integer as count from people_sessions where person_id = $1 and expires_at > now()',
      [personId],
    )
    return row!.count
  },
})

export type PeopleRepository = ReturnType<typeof createPeopleRepository>

/** The people who are operators. */
export const createOperatorRepository = (database: Database) => ({
  async isOperator(personId: string): Promise<boolean> {
    const rows = await database.query('select from operators where person_id = $1', [personId])
    return rows.length > 0
  },
  async add(personId: string): Promise<void> {
    await database.query('insert into operators (person_id) values ($1) on conflict do nothing', [personId])
  },
  async remove(personId: string): Promise<void> {
    await database.query('delete from operators where person_id = $1', [personId])
  },
  /** The first 1,000, by their addresses. */
  list: (): Promise<Person[]> =>
    database.query<Person>(
      'select p.id, p.email, p.name from operators o join people p on p.id = o.person_id order by p.email limit 1000',
    ),
})

export type OperatorRepository = ReturnType<typeof createOperatorRepository>

/** Throws `not_found`. */
export const findPerson = async (people: Pick<PeopleRepository, 'findByEmail'>, email: string): Promise<Person> => {
  const person = await people.findByEmail(email)
  if (person === undefined) throw new ServiceError('not_found', 'There is no person with this address.')
  return person
}

/**
 * Throws `invalid_request` for a person whose address was not proven: another person may have created the account, and
 * would get the rights that an operator gives to the address.
 */
export const requireVerified = async (people: Pick<PeopleRepository, 'isVerified'>, person: Person): Promise<void> => {
  if (await people.isVerified(person.id)) return
  const next = `Send the person the link of \`npx parlance user password-link ${person.email}\` first.`
  throw new ServiceError('invalid_request', `It is not proven that ${person.email} belongs to this person. ${next}`)
}
