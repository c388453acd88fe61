import { fitsPage } from '@parlance/store'

/**
 * What the configurations of one page may come to: with all that goes by their side they fit into a message of the bus.
 * A page of very large ones is shorter than was asked for, and its cursor leads on as ever.
 */
const maxPageBytes = 384 * 1024
const bytesBesideConfig = 1024

/** The configuration of a revision `d`, null where the page is full. The window `page` has the order of the rows. */
export const configWithinPage = `
  case when ${fitsPage({ bytes: 'd.config_bytes', beside: bytesBesideConfig, most: maxPageBytes })}
  then d.config end as config`

/** Whether a row was read with its configuration. */
export const hasConfig = ({ config }: { config: unknown }): boolean => config !== null
