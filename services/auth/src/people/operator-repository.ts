import type { Person } from '@parlance/contracts'
import type { Database } from '@parlance/store'

/** The people who are operators. */
export interface OperatorRepository {
  isOperator(personId: string): Promise<boolean>
  add(personId: string): Promise<void>
  remove(personId: string): Promise<void>
  /** The first 1,000, by their addresses. */
  list(): Promise<Person[]>
}

export const createOperatorRepository = (database: Database): OperatorRepository => ({
  async isOperator(personId) {
    const rows = await database.query('select from operators where person_id = $1', [personId])
    return rows.length > 0
  },
  async add(personId) {
    await database.query('insert into operators (person_id) values ($1) on conflict do nothing', [personId])
  },
  async remove(personId) {
    await database.query('delete from operators where person_id = $1', [personId])
  },
  list: () =>
    database.query<Person>(
      'select p.id, p.email, p.name from operators o join people p on p.id = o.person_id order by p.email limit 1000',
    ),
})
