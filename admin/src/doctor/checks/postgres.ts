import type { PostgresState, RoleState, SchemaState } from '@parlance/store'
import { type CheckContext, error, type Finding, ok, warning } from '../check.js'
import { judgePostgres } from '../databases.js'

const minMajorVersion = 15

const isAbove = ({ isSuperuser, bypassesRowSecurity }: RoleState): boolean => isSuperuser || bypassesRowSecurity

const rightOf = ({ isSuperuser }: RoleState): string => (isSuperuser ? 'a superuser' : 'BYPASSRLS')

const bind = ({ name }: RoleState): string => `Run \`alter role ${name} nosuperuser nobypassrls\`.`

const roleFindings = ({ role, schemas }: PostgresState): Finding[] => {
  if (!isAbove(role)) return [ok(`The role ${role.name} is bound by row-level security.`)]
  const unbound = schemas.flatMap(({ serviceRole }) => (serviceRole && isAbove(serviceRole) ? [serviceRole] : []))
  return [
    warning(
      `The role ${role.name} is ${rightOf(role)}; the services work as roles parlance_<schema>, which they create.`,
      'Let DATABASE_URL name a role that owns the database and has no rights beyond it.',
    ),
    ...unbound.map((wrong) =>
      error(`The role ${wrong.name} is ${rightOf(wrong)}, so it sees every workspace.`, bind(wrong)),
    ),
  ]
}

const tableFindings = (schemas: readonly SchemaState[]): Finding[] => {
  const tables = schemas.flatMap(({ schema, tables }) =>
    tables.map((table) => ({ ...table, name: `${schema}.${table.name}` })),
  )
  const open = tables.filter(({ isEnabled, isForced }) => !isEnabled || !isForced)
  if (open.length === 0) {
    return tables.length === 0
      ? []
      : [ok(`Row-level security is enabled and forced on all ${tables.length} tables of workspaces.`)]
  }
  return open.map(({ name, isEnabled }) =>
    error(
      `Row-level security is not ${isEnabled ? 'forced' : 'enabled'} on ${name}.`,
      `Run \`alter table ${name} enable row level security, force row level security\`.`,
    ),
  )
}

/** The findings for the state of a Postgres. */
const postgresFindings = (state: PostgresState, place: string): Finding[] => [
  state.majorVersion < minMajorVersion
    ? error(`Postgres at ${place} is ${state.version}.`, `Install Postgres ${minMajorVersion} or later.`)
    : ok(`Postgres ${state.version} at ${place} answers, ${state.isEncrypted ? 'with' : 'without'} TLS.`),
  ...roleFindings(state),
  ...tableFindings(state.schemas),
]

/** Checks the version of Postgres, row-level security on each table of workspaces, and whether it binds the roles. */
export const checkPostgres = (context: CheckContext): Promise<Finding[]> => judgePostgres(context, postgresFindings)
