import { natsPermissionsOf } from './nats-permissions.js'
import { traffic } from './traffic.js'

/** The credentials of a user: a line of the configuration of NATS, such as `nkey: U…`. */
export type IdentityOf = (user: string) => string

/** A user whose password is in a variable of the environment of NATS, such as `NATS_PASSWORD_END_USERS`. */
export const passwordIdentity: IdentityOf = (user) =>
  `user: ${user}, password: $NATS_PASSWORD_${user.toUpperCase().replaceAll('-', '_')}`

/** One subject per line, because one long list is unreadable. */
const allow = (subjects: readonly string[]): string =>
  `{ allow: [\n${subjects.map((subject) => `          "${subject}"`).join('\n')}\n        ] }`

const userBlock = (user: string, identity: string): string => {
  const { publish, subscribe } = natsPermissionsOf(user)
  return `    {
      ${identity}
      permissions: {
        publish: ${allow(publish)}
        subscribe: ${allow(subscribe)}
      }
    }`
}

/**
 * The block `authorization` of the configuration of NATS: a user for each service with what it may publish and subscribe
 * to.
 */
export const natsAuthorization = (identityOf: IdentityOf): string =>
  `authorization {
  users: [
${Object.keys(traffic)
  .map((user) => userBlock(user, identityOf(user)))
  .join('\n')}
  ]
}`
